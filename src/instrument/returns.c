/* Return statements in the source. Where an if is the last thing in a void function, clang makes one block of what
 * follows the if and of the function's end: only the source tells a return from the end of the if's code. */
#include "base/file.h"
#include "instrument/emit.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

static bool same_place(LLVMValueRef one, LLVMValueRef other)
{
    return LLVMGetDebugLocLine(one) == LLVMGetDebugLocLine(other) &&
           LLVMGetDebugLocColumn(one) == LLVMGetDebugLocColumn(other);
}

/* A branch that clang gave no place of its own has that of the statement before it. */
static bool is_first_at_its_place(LLVMValueRef branch)
{
    LLVMBasicBlockRef to = LLVMGetSuccessor(branch, 0), own = LLVMGetInstructionParent(branch);
    LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(own));
    for (; at != own; at = LLVMGetNextBasicBlock(at)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(at);
        if (LLVMGetNumSuccessors(end) == 1 && LLVMGetSuccessor(end, 0) == to && same_place(end, branch))
            return false;
    }
    return true;
}

static bool read_source(LLVMValueRef at, struct text *source)
{
    unsigned name_length = 0, directory_length = 0;
    const char *name = LLVMGetDebugLocFilename(at, &name_length);
    const char *directory = LLVMGetDebugLocDirectory(at, &directory_length);
    if (!name || !name_length)
        return false;
    struct text path = {0};
    if (*name != '/' && directory)
        text_format(&path, "%.*s/", (int)directory_length, directory);
    text_format(&path, "%.*s", (int)name_length, name);
    struct error error = {0};
    bool good = file_read(text_string(&path), source, &error);
    text_free(&path);
    return good;
}

static bool names_return(const char *text, unsigned line, unsigned column)
{
    for (; line > 1 && text; line--) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    if (!text || !column || strcspn(text, "\n") < column)
        return false;
    text += column - 1;
    return !strncmp(text, "return", 6) && !isalnum((unsigned char)text[6]) && text[6] != '_';
}

bool is_return_statement(LLVMValueRef branch)
{
    if (LLVMGetInstructionOpcode(branch) != LLVMBr || LLVMIsConditional(branch) || !is_first_at_its_place(branch))
        return false;
    struct text source = {0};
    bool yes = read_source(branch, &source) &&
               names_return(text_string(&source), LLVMGetDebugLocLine(branch), LLVMGetDebugLocColumn(branch));
    text_free(&source);
    return yes;
}
