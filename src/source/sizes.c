#include "source/sizes.h"

#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

bool sizes_check_syntax(const struct program_request *request, struct error *error)
{
    for (size_t i = 0; i < request->size_count; i++) {
        const char *size = request->sizes[i], *equals = strrchr(size, '=');
        size_t digits = equals ? strspn(equals + 1, "0123456789") : 0;
        if (!equals || digits == 0 || digits > 7 || equals[1 + digits] || strtoul(equals + 1, NULL, 10) == 0)
            return error_set(error, "--size '%s': expected NAME=N, with N from 1 to %d", size, PN_INPUT_BYTES);
    }
    return true;
}

static const char *name_of(struct program *program, const char *size)
{
    return arena_format(program->arena, "%.*s", (int)(strrchr(size, '=') - size), size);
}

size_t sizes_requested(struct program *program, const char *name)
{
    const struct program_request *request = program->request;
    size_t found = 0;
    option_names_add(&program->sized, name);
    for (size_t i = 0; i < request->size_count; i++) {
        const char *wanted = name_of(program, request->sizes[i]);
        if (strcmp(wanted, name) == 0 || (!found && input_name_matches(wanted, name)))
            found = strtoull(strrchr(request->sizes[i], '=') + 1, NULL, 10);
    }
    return found;
}

size_t sizes_known(struct program *program, const char *name)
{
    const struct program_request *request = program->request;
    for (size_t i = 0; i < request->string_size_count; i++)
        if (!strcmp(name_of(program, request->string_sizes[i]), name))
            return strtoull(strrchr(request->string_sizes[i], '=') + 1, NULL, 10);
    return request->string_elements;
}

static bool fail_unknown(const struct program *program, const char *size, const char *name, struct error *error)
{
    const char *nearest = nearest_name(name, program->sized.list, program->sized.count);
    if (nearest)
        return error_set(error, "--size '%s': no input is called '%s'; did you mean '%s'?", size, name, nearest);
    if (program->sized.count == 0)
        return error_set(error, "--size '%s': no input is a pointer or an array", size);
    return error_set(error, "--size '%s': no input is called '%s'; '%s' could have a size", size, name,
                     program->sized.list[0]);
}

bool sizes_check(struct program *program, struct error *error)
{
    for (size_t i = 0; i < program->request->size_count; i++) {
        const char *size = program->request->sizes[i], *name = name_of(program, size);
        if (option_names_have(&program->sized, name))
            continue;
        const struct input_parameter *parameter = input_layout_find(program->layout, name);
        if (!parameter)
            return fail_unknown(program, size, name, error);
        return error_set(error, "--size '%s': '%s' has type '%s', its size is fixed", size, name, parameter->type);
    }
    return true;
}
