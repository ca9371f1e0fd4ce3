/* Expressions: pn_change() goes as deep as it can without asking what no version asks. */
#include "unify/merge.h"

#include "source/source.h"

#include <string.h>

static const CXType UNKNOWN = {.kind = CXType_Invalid};

static bool merge_inside(struct merger *merger, struct node *old, struct node *new, struct place place);

/* ---- what an expression is ---- */

static bool is_operator(const struct merger *merger, const struct node *new, const char *text)
{
    return new->kind == CXCursor_BinaryOperator &&new->count == 2 &&
           new->children[0]->last < new->children[1]->first &&tree_word_is(&merger->new, new->children[0]->last, text);
}

static bool is_old_operator(const struct merger *merger, const struct node *old, const char *text)
{
    return old->kind == CXCursor_BinaryOperator && old->count == 2 &&
           old->children[0]->last < old->children[1]->first && tree_word_is(&merger->old, old->children[0]->last, text);
}

static struct node *without_parentheses(struct node *node)
{
    while (node->kind == CXCursor_ParenExpr && node->count == 1)
        node = node->children[0];
    return node;
}

/* Of whatever it is made: a constant or a name. */
static bool macro_is_harmless(const struct node *node)
{
    CXCursor bare = source_bare(node->cursor);
    enum CXCursorKind kind = clang_getCursorKind(bare);
    if (kind == CXCursor_CStyleCastExpr) /* NULL */
        kind = clang_getCursorKind(source_bare(source_first_child(bare)));
    if (kind == CXCursor_IntegerLiteral || kind == CXCursor_FloatingLiteral || kind == CXCursor_CharacterLiteral ||
        kind == CXCursor_StringLiteral || kind == CXCursor_DeclRefExpr)
        return true;
    CXEvalResult value = clang_Cursor_Evaluate(node->cursor);
    bool is_number =
        value && (clang_EvalResult_getKind(value) == CXEval_Int || clang_EvalResult_getKind(value) == CXEval_Float);
    if (value)
        clang_EvalResult_dispose(value);
    return is_number;
}

bool expression_is_harmless(const struct node *node)
{
    if (node->is_macro)
        return macro_is_harmless(node);
    switch (node->kind) {
    case CXCursor_CallExpr:
    case CXCursor_StmtExpr:
    case CXCursor_CompoundAssignOperator:
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_UnexposedExpr:
    case CXCursor_CompoundLiteralExpr: return false;
    case CXCursor_UnaryOperator: {
        enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(node->cursor);
        if (kind != CXUnaryOperator_Minus && kind != CXUnaryOperator_Plus && kind != CXUnaryOperator_Not &&
            kind != CXUnaryOperator_LNot && kind != CXUnaryOperator_AddrOf)
            return false;
        break;
    }
    case CXCursor_BinaryOperator: {
        enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(node->cursor);
        if (kind == CXBinaryOperator_Div || kind == CXBinaryOperator_Rem || kind >= CXBinaryOperator_Assign)
            return false;
        break;
    }
    case CXCursor_MemberRefExpr:
        if (!node->count ||
            clang_getCanonicalType(clang_getCursorType(node->children[0]->cursor)).kind == CXType_Pointer)
            return false;
        break;
    default: break;
    }
    for (size_t i = 0; i < node->count; i++)
        if (!expression_is_harmless(node->children[i]))
            return false;
    return true;
}

/* ---- types ---- */

static CXType value_type(const struct node *node)
{
    if (!clang_isExpression((enum CXCursorKind)node->kind)) /* libclang has no type of a statement, and asks for one */
        return UNKNOWN;
    return clang_getUnqualifiedType(clang_getCanonicalType(clang_getCursorType(node->cursor)));
}

static bool is_arithmetic(CXType type)
{
    return (type.kind >= CXType_Bool && type.kind <= CXType_LongDouble) || type.kind == CXType_Enum;
}

static bool is_pointer(CXType type)
{
    return type.kind == CXType_Pointer || type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray ||
           type.kind == CXType_FunctionProto || type.kind == CXType_FunctionNoProto;
}

static enum CXTypeKind promoted(CXType type)
{
    switch (type.kind) {
    case CXType_Bool:
    case CXType_Char_S:
    case CXType_Char_U:
    case CXType_SChar:
    case CXType_UChar:
    case CXType_Short:
    case CXType_UShort: return CXType_Int;
    case CXType_Enum: return promoted(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type)));
    default: return type.kind;
    }
}

static const char *pointee(struct arena *arena, CXType type)
{
    bool is_array = type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray;
    CXType inner = is_array                      ? clang_getArrayElementType(type)
                   : type.kind == CXType_Pointer ? clang_getPointeeType(type)
                                                 : type;
    return source_type(arena, clang_getUnqualifiedType(clang_getCanonicalType(inner)));
}

static bool is_null(const struct merger *merger, const struct tree *tree, const struct node *node)
{
    (void)merger;
    return node->last - node->first == 1 &&
           (tree_word_is(tree, node->first, "0") || tree_word_is(tree, node->first, "NULL"));
}

static bool same_written_type(const struct merger *merger, const char *one, const char *other)
{
    return !strcmp(one, other) && !type_is_split(merger->comparison, one);
}

/* Whether `1 ? old : new` is in each version what the version's own expression is. */
static bool go_together(const struct merger *merger, const struct node *old, const struct node *new)
{
    CXType one = value_type(old), other = value_type(new);
    if (is_arithmetic(one) && is_arithmetic(other))
        return promoted(one) == promoted(other);
    bool nulls = is_null(merger, &merger->old, old) || is_null(merger, &merger->new, new);
    if (is_pointer(one) && is_pointer(other))
        return nulls || same_written_type(merger, pointee(merger->arena, one), pointee(merger->arena, other));
    if (is_pointer(one) || is_pointer(other))
        return nulls;
    return one.kind == CXType_Record && other.kind == CXType_Record &&
           same_written_type(merger, source_type(merger->arena, one), source_type(merger->arena, other));
}

static bool is_scalar(CXType type)
{
    return is_arithmetic(type) || is_pointer(type);
}

/* ---- the annotation ---- */

static bool has_comma(const char *text)
{
    size_t depth = 0;
    char quote = 0;
    for (const char *at = text; *at; at++) {
        if (quote) {
            if (*at == '\\' && at[1])
                at++;
            else if (*at == quote)
                quote = 0;
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else if (*at == '(') {
            depth++;
        } else if (*at == ')') {
            depth -= depth > 0;
        } else if (*at == ',' && !depth) {
            return true;
        }
    }
    return false;
}

static const char *as_argument(const struct merger *merger, const char *text)
{
    return has_comma(text) ? arena_format(merger->arena, "(%s)", text) : text;
}

static const char *annotation(const struct merger *merger, const char *old, const char *new, const char *cast,
                              const char *test)
{
    if (*cast || *test)
        return arena_format(merger->arena, "pn_change(%s(%s)%s, %s(%s)%s)", cast, old, test, cast, new, test);
    return arena_format(merger->arena, "pn_change(%s, %s)", as_argument(merger, old), as_argument(merger, new));
}

static bool is_clause_of(const struct merger *merger, const struct node *old, const struct node *new, const char *op)
{
    if (!is_old_operator(merger, old, op))
        return false;
    for (size_t i = 0; i < 2; i++)
        if (merge_same(merger, without_parentheses(old->children[i]), new) ||
            is_clause_of(merger, old->children[i], new, op))
            return true;
    return false;
}

static enum pattern pattern_at(const struct merger *merger, struct node *old, struct node *new, struct place place)
{
    struct node *one = without_parentheses(old), *other = without_parentheses(new);
    if (place.around == AROUND_CONDITION)
        return is_clause_of(merger, one, other, "||")   ? PATTERN_CLAUSE_OR_GONE
               : is_clause_of(merger, one, other, "&&") ? PATTERN_CLAUSE_AND_GONE
                                                        : PATTERN_CONDITION;
    return place.around == AROUND_ARGUMENT ? PATTERN_ARGUMENT : PATTERN_VALUE;
}

static bool can_be_argument(const struct merger *merger, const struct node *old, const struct node *new)
{
    return old->kind != CXCursor_InitListExpr &&
           new->kind != CXCursor_InitListExpr &&clang_isExpression((enum CXCursorKind)old->kind) &&
           clang_isExpression((enum CXCursorKind) new->kind) && !tree_has_directive(&merger->old, old) &&
           !tree_has_directive(&merger->new, new);
}

/* What makes the two arguments of one type: a cast, or a test against zero; false when nothing does. */
static bool adapt(const struct merger *merger, const struct node *old, const struct node *new, struct place place,
                  const char **cast, const char **test)
{
    *cast = *test = "";
    if (go_together(merger, old, new))
        return true;
    if (!is_scalar(value_type(old)) || !is_scalar(value_type(new)))
        return false;
    if (place.around == AROUND_CONDITION) {
        *test = " != 0";
        return true;
    }
    if (place.target.kind == CXType_Invalid)
        return false;
    CXType target = clang_getUnqualifiedType(place.target);
    if (!is_scalar(clang_getCanonicalType(target)))
        return false;
    const char *name = source_type(merger->arena, target);
    *cast = arena_format(merger->arena, "(%s)", name);
    bool is_passed = is_pointer(clang_getCanonicalType(target)); /* to a parameter that is converted there */
    return (is_passed || !type_is_split(merger->comparison, name)) && !strpbrk(name, "[{") &&
           !strstr(name, "unnamed") && !strstr(name, "anonymous");
}

static bool wrap(struct merger *merger, struct node *old, struct node *new, struct place place)
{
    const char *cast, *test;
    if (place.around == AROUND_LVALUE || place.around == AROUND_NOTHING || !can_be_argument(merger, old, new) ||
        !adapt(merger, old, new, place, &cast, &test))
        return false;
    const char *before = merge_old_text(merger, old->first, old->last);
    const char *after = merge_new_text(merger, new->begin, new->end);
    merge_edit(merger, new->begin, new->end, annotation(merger, before, after, cast, test));
    merger->patterns[pattern_at(merger, old, new, place)]++;
    return true;
}

/* ---- chains of && and || ---- */

struct chain {
    struct node *clauses[64];
    size_t count;
};

static void add_clauses(const struct merger *merger, const struct tree *tree, struct node *node, const char *op,
                        struct chain *chain)
{
    bool is_link = tree == &merger->old ? is_old_operator(merger, node, op) : is_operator(merger, node, op);
    if (is_link && chain->count + 2 < sizeof chain->clauses / sizeof *chain->clauses) {
        add_clauses(merger, tree, node->children[0], op, chain);
        add_clauses(merger, tree, node->children[1], op, chain);
    } else {
        chain->clauses[chain->count++] = node;
    }
}

/* What the other version asks instead is a number: so is this. */
static const char *as_clause(const struct merger *merger, const struct chain *chain, size_t same, const char *text)
{
    bool is_number = chain->count != same + 1 || is_arithmetic(value_type(chain->clauses[same]));
    return is_number ? text : arena_format(merger->arena, "(%s) != 0", text);
}

/* The first clauses are the same: what follows them is all that is asked differently. */
static bool merge_tails(struct merger *merger, const struct chain *old, const struct chain *new, size_t same,
                        const char *op, struct node *whole)
{
    bool is_or = !strcmp(op, "||");
    const char *neutral = is_or ? "0" : "1";
    struct node *last = new->clauses[new->count - 1];
    if (old->count == same + 1 && new->count == same + 1)
        return merge_expression(merger, old->clauses[same], new->clauses[same],
                                (struct place){AROUND_CONDITION, UNKNOWN});
    const char *before = neutral;
    if (old->count > same) {
        struct node *first = old->clauses[same];
        before = as_clause(merger, old, same, merge_old_text(merger, first->first, old->clauses[old->count - 1]->last));
        if (tree_has_directive(&merger->old, first))
            return false;
    }
    if (new->count > same) {
        size_t begin = new->clauses[same]->begin;
        if (tree_has_directive(&merger->new, whole))
            return false;
        const char *after = as_clause(merger, new, same, merge_new_text(merger, begin, last->end));
        merge_edit(merger, begin, last->end, annotation(merger, before, after, "", ""));
        merger->patterns[old->count > same ? PATTERN_CONDITION : is_or ? PATTERN_WEAKENED : PATTERN_STRENGTHENED]++;
        return true;
    }
    bool is_weak = last->kind == CXCursor_BinaryOperator || last->kind == CXCursor_ConditionalOperator;
    if (is_weak)
        merge_edit(merger, whole->begin, whole->begin, "(");
    merge_edit(
        merger, whole->end, whole->end,
        arena_format(merger->arena, "%s %s %s", is_weak ? ")" : "", op, annotation(merger, before, neutral, "", "")));
    merger->patterns[is_or ? PATTERN_CLAUSE_OR_GONE : PATTERN_CLAUSE_AND_GONE]++;
    return true;
}

static bool is_scalar_condition(const struct node *old, const struct node *new)
{
    return is_scalar(value_type(old)) && is_scalar(value_type(new));
}

static bool merge_chains(struct merger *merger, struct node *old, struct node *new, struct place place)
{
    static const char *const operators[] = {"||", "&&"};
    if (place.around != AROUND_CONDITION || !is_scalar_condition(old, new))
        return false;
    for (size_t i = 0; i < 2; i++) {
        const char *op = operators[i];
        struct chain one = {0}, other = {0};
        size_t same = 0;
        if (!is_old_operator(merger, old, op) && !is_operator(merger, new, op))
            continue;
        add_clauses(merger, &merger->old, old, op, &one);
        add_clauses(merger, &merger->new, new, op, &other);
        while (same < one.count && same < other.count &&
               merge_same(merger, without_parentheses(one.clauses[same]), without_parentheses(other.clauses[same])))
            same++;
        if (same && merge_tails(merger, &one, &other, same, op, new))
            return true;
    }
    return false;
}

/* ---- pushing it into the operands ---- */

static bool is_assignment(const struct node *node)
{
    return node->kind == CXCursor_CompoundAssignOperator ||
           (node->kind == CXCursor_BinaryOperator &&
            clang_getCursorBinaryOperatorKind(node->cursor) == CXBinaryOperator_Assign);
}

static struct place operand_of_binary(const struct merger *merger, const struct node *new, size_t index,
                                      struct place place)
{
    if (is_assignment(new)) {
        bool plain = new->kind == CXCursor_BinaryOperator;
        return index ? (struct place){AROUND_VALUE, plain ? clang_getCursorType(new->children[0]->cursor) : UNKNOWN}
                     : (struct place){AROUND_LVALUE, UNKNOWN};
    }
    if (is_operator(merger, new, "&&") || is_operator(merger, new, "||"))
        return (struct place){AROUND_CONDITION, UNKNOWN};
    if (is_operator(merger, new, ","))
        return index ? place : (struct place){AROUND_NOTHING, UNKNOWN};
    return (struct place){place.around == AROUND_ARGUMENT ? AROUND_ARGUMENT : AROUND_VALUE, UNKNOWN};
}

static struct place operand_of_unary(const struct node *new, struct place place)
{
    switch (clang_getCursorUnaryOperatorKind(new->cursor)) {
    case CXUnaryOperator_AddrOf:
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PostDec:
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec: return (struct place){AROUND_LVALUE, UNKNOWN};
    case CXUnaryOperator_LNot: return (struct place){AROUND_CONDITION, UNKNOWN};
    default: return (struct place){place.around == AROUND_ARGUMENT ? AROUND_ARGUMENT : AROUND_VALUE, UNKNOWN};
    }
}

static struct place argument_of_call(const struct node *new, size_t index)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(new->children[0]->cursor));
    if (type.kind == CXType_Pointer)
        type = clang_getCanonicalType(clang_getPointeeType(type));
    int count = clang_getNumArgTypes(type);
    CXType target = type.kind == CXType_FunctionProto && (int)index - 1 < count
                        ? clang_getArgType(type, (unsigned)index - 1)
                        : UNKNOWN;
    return (struct place){index ? AROUND_ARGUMENT : AROUND_LVALUE, target};
}

static struct place operand_place(const struct merger *merger, const struct node *new, size_t index, struct place place)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(new->children[index]->cursor));
    struct place value = {place.around == AROUND_ARGUMENT ? AROUND_ARGUMENT : AROUND_VALUE, UNKNOWN};
    struct place fixed = {AROUND_LVALUE, UNKNOWN};
    switch (new->kind) {
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator: return operand_of_binary(merger, new, index, place);
    case CXCursor_UnaryOperator: return operand_of_unary(new, place);
    case CXCursor_ArraySubscriptExpr: return index || type.kind == CXType_Pointer ? value : fixed;
    case CXCursor_MemberRefExpr: return type.kind == CXType_Pointer ? value : fixed;
    case CXCursor_CallExpr: return argument_of_call(new, index);
    case CXCursor_ConditionalOperator:
        if (!index)
            return (struct place){AROUND_CONDITION, UNKNOWN};
        return place.around == AROUND_CONDITION || place.around == AROUND_LVALUE ? value : place;
    case CXCursor_CStyleCastExpr: value.target = clang_getCursorType(new->cursor); return value;
    default: return value;
    }
}

static bool can_be_entered(const struct node *node)
{
    switch (node->kind) {
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
    case CXCursor_UnaryOperator:
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_MemberRefExpr:
    case CXCursor_CallExpr:
    case CXCursor_ConditionalOperator:
    case CXCursor_CStyleCastExpr:
    case CXCursor_InitListExpr:
    case CXCursor_CompoundLiteralExpr: return node->count > 0;
    default: return false;
    }
}

static bool have_same_shape(const struct merger *merger, const struct node *old, const struct node *new)
{
    return old->kind == new->kind &&merge_same_words(merger, old, new);
}

/* Nothing is shared by wrapping every operand of a node. */
static bool wraps_all(const struct merger *merger, const struct node *new, size_t since)
{
    if (new->count < 2 || merger->edit_count - since != new->count)
        return false;
    for (size_t i = 0; i < new->count; i++)
        if (merger->edits[since + i].begin != new->children[i]->begin ||
            merger->edits[since + i].end != new->children[i]->end)
            return false;
    return true;
}

static bool merge_operands(struct merger *merger, struct node *old, struct node *new, struct place place)
{
    if (!can_be_entered(new) || !have_same_shape(merger, old, new))
        return false;
    bool is_logical = is_operator(merger, new, "&&") || is_operator(merger, new, "||");
    if (is_logical && !merge_same(merger, old->children[0], new->children[0]))
        return false; /* the second operand may make up for the first */
    size_t since = merger->edit_count;
    for (size_t i = 0; i < new->count; i++)
        if (!merge_expression(merger, old->children[i], new->children[i], operand_place(merger, new, i, place)))
            return false;
    return new->kind == CXCursor_InitListExpr || !wraps_all(merger, new, since);
}

static bool merge_inside(struct merger *merger, struct node *old, struct node *new, struct place place)
{
    if (old->kind == CXCursor_ParenExpr && old->count == 1)
        return merge_expression(merger, old->children[0],
                                new->kind == CXCursor_ParenExpr &&new->count == 1 ? new->children[0] : new, place);
    if (new->kind == CXCursor_ParenExpr &&new->count == 1)
        return merge_expression(merger, old, new->children[0], place);
    struct mark mark = merge_mark(merger);
    if (merge_operands(merger, old, new, place))
        return true;
    merge_return_to(merger, &mark);
    if (merge_chains(merger, old, new, place))
        return true;
    merge_return_to(merger, &mark);
    return false;
}

bool merge_expression(struct merger *merger, struct node *old, struct node *new, struct place place)
{
    bool are_expressions =
        clang_isExpression((enum CXCursorKind)old->kind) && clang_isExpression((enum CXCursorKind) new->kind);
    if (!are_expressions) /* a declaration in the head of a loop, a designator */
        return merge_same(merger, old, new);
    return merge_same(merger, old, new) || merge_inside(merger, old, new, place) || wrap(merger, old, new, place);
}
