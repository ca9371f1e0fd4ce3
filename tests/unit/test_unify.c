/* Which functions of LLVM IR are the same: what the verification of unified programs rests on. */
#include "unify/hunks.h"
#include "unify/same_function.h"
#include "unify/same_module.h"

#include <llvm-c/IRReader.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka needs the ones above */
#include <cmocka.h>

struct module {
    LLVMContextRef context;
    LLVMModuleRef module;
};

static struct module parse(const char *text)
{
    struct module parsed = {.context = LLVMContextCreate()};
    char *message = NULL;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "text");
    if (LLVMParseIRInContext(parsed.context, buffer, &parsed.module, &message))
        fail_msg("%s", message);
    return parsed;
}

static enum sameness compare(const char *one, const char *other, const struct words *widened)
{
    struct module left = parse(one), right = parse(other);
    LLVMValueRef copy = LLVMGetNamedFunction(right.module, "f__old");
    enum sameness sameness = functions_compare(LLVMGetNamedFunction(left.module, "f"),
                                               copy ? copy : LLVMGetNamedFunction(right.module, "f"), widened);
    LLVMDisposeModule(left.module), LLVMDisposeModule(right.module);
    LLVMContextDispose(left.context), LLVMContextDispose(right.context);
    return sameness;
}

static void assert_sameness(enum sameness expected, const char *one, const char *other)
{
    static const struct words none;
    assert_int_equal(compare(one, other, &none), expected);
}

static void names_and_order_do_not_matter(void **state)
{
    (void)state;
    assert_sameness(
        SAME,
        "define i32 @f(i32 %a) {\n %x = add i32 %a, 1\n %y = mul i32 %a, 3\n %z = xor i32 %x, %y\n ret i32 %z\n}\n",
        "define i32 @f__old(i32 %b) {\n %q = mul i32 %b, 3\n %p = add i32 %b, 1\n %z = xor i32 %q, %p\n ret i32 "
        "%z\n}\n");
}

static void values_operators_and_types_matter(void **state)
{
    (void)state;
    const char *one = "define i32 @f(i32 %a) {\n %x = sub i32 %a, 1\n ret i32 %x\n}\n";
    assert_sameness(SAME, one, one);
    assert_sameness(DIFFERENT, one, "define i32 @f(i32 %a) {\n %x = sub i32 %a, 2\n ret i32 %x\n}\n");
    assert_sameness(DIFFERENT, one, "define i32 @f(i32 %a) {\n %x = sub i32 1, %a\n ret i32 %x\n}\n");
    assert_sameness(DIFFERENT, one, "define i32 @f(i32 %a) {\n %x = add i32 %a, 1\n ret i32 %x\n}\n");
    assert_sameness(DIFFERENT, one, "define i64 @f(i64 %a) {\n %x = sub i64 %a, 1\n ret i64 %x\n}\n");
}

#define CALLS "declare void @g(i32)\ndeclare void @h(i32)\n"

static void the_order_of_effects_matters(void **state)
{
    (void)state;
    const char *one = CALLS "define void @f() {\n call void @g(i32 1)\n call void @h(i32 1)\n ret void\n}\n";
    assert_sameness(SAME, one, one);
    assert_sameness(DIFFERENT, one,
                    CALLS "define void @f() {\n call void @h(i32 1)\n call void @g(i32 1)\n ret void\n}\n");
    assert_sameness(DIFFERENT, one, CALLS "define void @f() {\n call void @g(i32 1)\n ret void\n}\n");
}

static void a_load_sees_what_was_stored_before_it(void **state)
{
    (void)state;
    assert_sameness(DIFFERENT,
                    "define i32 @f(ptr %p) {\n %x = load i32, ptr %p\n store i32 7, ptr %p\n ret i32 %x\n}\n",
                    "define i32 @f(ptr %p) {\n store i32 7, ptr %p\n %x = load i32, ptr %p\n ret i32 %x\n}\n");
}

static void two_variables_are_not_one(void **state)
{
    (void)state;
    assert_sameness(
        DIFFERENT,
        "define i32 @f() {\n %x = alloca i32\n %y = alloca i32\n store i32 1, ptr %x\n store i32 2, ptr %y\n"
        " %r = load i32, ptr %x\n ret i32 %r\n}\n",
        "define i32 @f() {\n %x = alloca i32\n store i32 1, ptr %x\n store i32 2, ptr %x\n"
        " %r = load i32, ptr %x\n ret i32 %r\n}\n");
}

#define LOOP(step)                                                                                                     \
    "declare i32 @g(i32)\ndefine i32 @f(i32 %n) {\nentry:\n br label %loop\nloop:\n"                                   \
    " %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n %c = call i32 @g(i32 %i)\n %next = add i32 %c, " step "\n"        \
    " %more = icmp slt i32 %next, %n\n br i1 %more, label %loop, label %end\nend:\n ret i32 %next\n}\n"

static void loops_are_followed_round(void **state)
{
    (void)state;
    assert_sameness(SAME, LOOP("1"), LOOP("1"));
    assert_sameness(DIFFERENT, LOOP("1"), LOOP("2"));
}

#define JOIN(values)                                                                                                   \
    CALLS "define i32 @f(i32 %x) {\nentry:\n %c = icmp eq i32 %x, 0\n br i1 %c, label %end, label %a\na:\n"            \
          " %d = icmp eq i32 %x, 1\n br i1 %d, label %b, label %e\nb:\n call void @g(i32 1)\n br label %end\n"         \
          "e:\n call void @h(i32 1)\n br label %end\nend:\n %r = phi i32 " values "\n ret i32 %r\n}\n"

/* The end is met before two of the blocks that lead there. */
static void values_come_from_their_blocks_in_any_order(void **state)
{
    (void)state;
    const char *one = JOIN("[ 0, %entry ], [ 1, %b ], [ 2, %e ]");
    assert_sameness(SAME, one, one);
    assert_sameness(SAME, one, JOIN("[ 2, %e ], [ 1, %b ], [ 0, %entry ]"));
    assert_sameness(SAME, one, JOIN("[ 0, %entry ], [ 2, %e ], [ 1, %b ]"));
    assert_sameness(DIFFERENT, one, JOIN("[ 0, %entry ], [ 2, %b ], [ 1, %e ]"));
    assert_sameness(DIFFERENT, one, JOIN("[ 1, %entry ], [ 0, %b ], [ 2, %e ]"));
    assert_sameness(DIFFERENT, one, JOIN("[ 0, %entry ], [ 1, %b ], [ 1, %e ]"));
    assert_sameness(DIFFERENT, one, JOIN("[ 0, %entry ], [ 1, %e ], [ 2, %b ]"));
}

/* Round a loop, a value that comes from a block that is met later. */
#define ROUND(values, result)                                                                                          \
    CALLS "define i32 @f(i32 %x) {\nentry:\n br label %loop\nloop:\n %i = phi i32 " values "\n"                        \
          " %more = icmp slt i32 %i, %x\n br i1 %more, label %a, label %end\na:\n %d = icmp eq i32 %i, 5\n"            \
          " br i1 %d, label %b, label %e\nb:\n call void @g(i32 %i)\n %p = add i32 %i, 1\n br label %loop\n"           \
          "e:\n call void @h(i32 %i)\n %q = add i32 %i, 2\n br label %loop\nend:\n ret i32 " result "\n}\n"

static void values_come_round_a_loop_in_any_order(void **state)
{
    (void)state;
    const char *one = ROUND("[ 0, %entry ], [ %p, %b ], [ %q, %e ]", "%i");
    assert_sameness(SAME, one, ROUND("[ 0, %entry ], [ %q, %e ], [ %p, %b ]", "%i"));
    assert_sameness(SAME, one, ROUND("[ %q, %e ], [ %p, %b ], [ 0, %entry ]", "%i"));
    assert_sameness(DIFFERENT, one, ROUND("[ 0, %entry ], [ %i, %e ], [ %p, %b ]", "%i"));
    assert_sameness(DIFFERENT, one, ROUND("[ 1, %entry ], [ %q, %e ], [ %p, %b ]", "%i"));
    assert_sameness(DIFFERENT, one, ROUND("[ 0, %entry ], [ %q, %e ], [ %p, %b ]", "%x"));
}

#define TWO(sum, told)                                                                                                 \
    CALLS "define void @f() {\nentry:\n br label %loop\nloop:\n %p = phi i32 [ %x, %loop ], [ 1, %entry ]\n"           \
          " %z = phi i32 [ %v, %loop ], [ 2, %entry ]\n %x = mul i32 %p, 3\n %v = mul i32 %z, 3\n %s = add i32 " sum   \
          "\n call void @g(i32 %s)\n call void @h(i32 " told ")\n %m = icmp slt i32 %s, 100\n"                         \
          " br i1 %m, label %loop, label %end\nend:\n ret void\n}\n"

/* That p is z is tried first, and that x is v follows from it. */
static void what_follows_from_a_wrong_guess_is_forgotten(void **state)
{
    (void)state;
    assert_sameness(SAME, TWO("%p, %z", "%x"), TWO("%z, %p", "%x"));
    assert_sameness(DIFFERENT, TWO("%p, %z", "%x"), TWO("%z, %p", "%v"));
    assert_sameness(DIFFERENT, TWO("%p, %z", "%x"), TWO("%p, %p", "%x"));
}

#define SWITCH(cases)                                                                                                  \
    "define i32 @f(i32 %x) {\n switch i32 %x, label %d [ " cases                                                       \
    " ]\na:\n ret i32 1\nb:\n ret i32 2\nd:\n ret i32 3\n}\n"

static void cases_in_any_order(void **state)
{
    (void)state;
    assert_sameness(SAME, SWITCH("i32 1, label %a i32 2, label %b"), SWITCH("i32 2, label %b i32 1, label %a"));
    assert_sameness(SAME, SWITCH("i32 1, label %a i32 2, label %b"),
                    SWITCH("i32 1, label %a i32 2, label %b i32 3, label %d"));
    assert_sameness(DIFFERENT, SWITCH("i32 1, label %a i32 2, label %b"), SWITCH("i32 1, label %a i32 4, label %b"));
}

#define MEMBER(members, index)                                                                                         \
    "%struct.s = type { " members                                                                                      \
    " }\ndefine i32 @f(ptr %p) {\n %m = getelementptr %struct.s, ptr %p, i32 0, i32 " index                            \
    "\n %x = load i32, ptr %m\n ret i32 %x\n}\n"

static void a_layout_of_both_versions_is_not_known_to_be_the_same(void **state)
{
    (void)state;
    struct words widened = {0};
    words_add(&widened, "s");
    assert_sameness(DIFFERENT, MEMBER("i32, i32", "1"), MEMBER("i64, i32, i32", "2"));
    assert_int_equal(compare(MEMBER("i32, i32", "1"), MEMBER("i64, i32, i32", "2"), &widened), UNKNOWN);
    words_free(&widened);
}

static void names_that_unification_makes(void **state)
{
    (void)state;
    assert_true(same_global_name("f", "f"));
    assert_true(same_global_name("f", "f__old"));
    assert_true(same_global_name("f.count", "f__new.count"));
    assert_false(same_global_name("f", "g"));
    assert_false(same_global_name("f", "f__older"));
    assert_false(same_global_name("f__old", "f"));
}

static void assert_identical(bool expected, const char *one, const char *other)
{
    struct module left = parse(one), right = parse(other);
    struct arena *arena = arena_create();
    struct module_differences differences;
    modules_compare(left.module, right.module, arena, &differences);
    if (module_differences_are_none(&differences) != expected)
        fail_msg("%s and %s", one, other);
    module_differences_free(&differences);
    arena_destroy(arena);
    LLVMDisposeModule(left.module), LLVMDisposeModule(right.module);
    LLVMContextDispose(left.context), LLVMContextDispose(right.context);
}

static void plain_versions_differ_by_any_detail(void **state)
{
    (void)state;
    const char *one =
        "@v = global i32 1, align 4\ndefine i32 @f(ptr %p) {\n %x = load i32, ptr %p, align 4\n %y = add nsw "
        "i32 %x, 1\n ret i32 %y\n}\n";
    assert_identical(true, one, one);
    static const char *const others[] = {
        "@v = global i32 2, align 4\ndefine i32 @f(ptr %p) {\n %x = load i32, ptr %p, align 4\n %y = add nsw i32 %x, "
        "1\n "
        "ret i32 %y\n}\n",
        "@v = constant i32 1, align 4\ndefine i32 @f(ptr %p) {\n %x = load i32, ptr %p, align 4\n %y = add nsw i32 %x, "
        "1\n "
        "ret i32 %y\n}\n",
        "@v = global i32 1, align 8\ndefine i32 @f(ptr %p) {\n %x = load i32, ptr %p, align 4\n %y = add nsw i32 %x, "
        "1\n "
        "ret i32 %y\n}\n",
        "@v = global i32 1, align 4\ndefine i32 @f(ptr %p) {\n %x = load i32, ptr %p, align 1\n %y = add nsw i32 %x, "
        "1\n "
        "ret i32 %y\n}\n",
        "@v = global i32 1, align 4\ndefine i32 @f(ptr %p) {\n %x = load i32, ptr %p, align 4\n %y = add i32 %x, 1\n "
        "ret "
        "i32 %y\n}\n",
        "@v = global i32 1, align 4\ndefine i32 @f(ptr %p) cold {\n %x = load i32, ptr %p, align 4\n %y = add nsw i32 "
        "%x, "
        "1\n ret i32 %y\n}\n",
        "@v = global i32 1, align 4\ndefine internal i32 @f(ptr %p) {\n %x = load i32, ptr %p, align 4\n %y = add nsw "
        "i32 "
        "%x, 1\n ret i32 %y\n}\n",
        "module asm \"nop\"\n@v = global i32 1, align 4\ndefine i32 @f(ptr %p) {\n %x = load i32, ptr %p, align 4\n %y "
        "= "
        "add nsw i32 %x, 1\n ret i32 %y\n}\n",
        "define i32 @f(ptr %p) {\n %x = load i32, ptr %p, align 4\n %y = add nsw i32 %x, 1\n ret i32 %y\n}\n",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_identical(false, one, others[i]);
        assert_identical(false, others[i], one);
    }
}

#define JUMP(label)                                                                                                    \
    "define i32 @f() {\n indirectbr ptr blockaddress(@f, %" label ") , [label %a, label %b]\na:\n ret i32 1\nb:\n "    \
    "ret i32 2\n}\n"

static void labels_and_assembler_are_compared(void **state)
{
    (void)state;
    const char *one = "define void @f() {\n call void asm sideeffect \"\", \"\"()\n ret void\n}\n";
    assert_sameness(SAME, one, one);
    assert_sameness(DIFFERENT, one, "define void @f() {\n call void asm sideeffect \"nop\", \"\"()\n ret void\n}\n");
    assert_sameness(SAME, JUMP("a"), JUMP("a"));
    assert_sameness(DIFFERENT, JUMP("a"), JUMP("b"));
}

static void count(const char *old, const char *new, size_t hunks, size_t lines)
{
    struct text texts[2] = {{0}, {0}};
    size_t hunks_found, lines_found;
    text_add(&texts[0], old), text_add(&texts[1], new);
    hunks_count(&texts[0], &texts[1], &hunks_found, &lines_found);
    assert_int_equal(hunks_found, hunks);
    assert_int_equal(lines_found, lines);
    text_free(&texts[0]), text_free(&texts[1]);
}

static void hunks_and_lines(void **state)
{
    (void)state;
    count("a\nb\n", "a\nb\n", 0, 0);
    count("", "a\nb\n", 1, 2);
    count("a\nb\nc\n", "a\nx\nc\n", 1, 2);
    count("a\nb\nc\nd\n", "x\nb\nc\ny\n", 2, 4);
    count("a\nb\nc\n", "b\nc\nd\n", 2, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_order_do_not_matter),
        cmocka_unit_test(values_operators_and_types_matter),
        cmocka_unit_test(the_order_of_effects_matters),
        cmocka_unit_test(a_load_sees_what_was_stored_before_it),
        cmocka_unit_test(two_variables_are_not_one),
        cmocka_unit_test(loops_are_followed_round),
        cmocka_unit_test(values_come_from_their_blocks_in_any_order),
        cmocka_unit_test(values_come_round_a_loop_in_any_order),
        cmocka_unit_test(what_follows_from_a_wrong_guess_is_forgotten),
        cmocka_unit_test(cases_in_any_order),
        cmocka_unit_test(a_layout_of_both_versions_is_not_known_to_be_the_same),
        cmocka_unit_test(names_that_unification_makes),
        cmocka_unit_test(plain_versions_differ_by_any_detail),
        cmocka_unit_test(labels_and_assembler_are_compared),
        cmocka_unit_test(hunks_and_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
