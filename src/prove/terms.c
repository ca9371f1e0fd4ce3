/* Terms of instructions: a table of operations, addresses, memory. */
#include "prove/terms.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BITS = 1024, MOST_OPERANDS = 64 };

static Z3_ast give_up(struct terms *terms, const char *what, unsigned width)
{
    terms->problem = terms->problem ? terms->problem : what;
    return term_fresh(terms, width ? width : 1);
}

/* ---- numbers ---- */

static unsigned members_width(struct terms *terms, LLVMTypeRef type)
{
    unsigned sum = 0, count = LLVMCountStructElementTypes(type);
    for (unsigned i = 0; i < count; i++) {
        unsigned width = term_width(terms, LLVMStructGetTypeAtIndex(type, i));
        if (!width || sum + width > MOST_BITS)
            return 0;
        sum += width;
    }
    return sum;
}

unsigned term_width(struct terms *terms, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type);
    case LLVMPointerTypeKind: return ADDRESS_BITS;
    case LLVMFloatTypeKind: return 32;
    case LLVMDoubleTypeKind: return 64;
    case LLVMX86_FP80TypeKind: return 80;
    case LLVMStructTypeKind: return members_width(terms, type);
    case LLVMArrayTypeKind: {
        uint64_t width = term_width(terms, LLVMGetElementType(type)), count = LLVMGetArrayLength2(type);
        return count <= MOST_BITS && width * count <= MOST_BITS ? (unsigned)(width * count) : 0;
    }
    default: return 0;
    }
}

unsigned term_bits(const struct terms *terms, Z3_ast value)
{
    Z3_sort sort = Z3_get_sort(terms->z3, value);
    return Z3_get_sort_kind(terms->z3, sort) == Z3_BV_SORT ? Z3_get_bv_sort_size(terms->z3, sort) : 0;
}

Z3_ast term_number(struct terms *terms, uint64_t value, unsigned width)
{
    return Z3_mk_unsigned_int64(terms->z3, value, Z3_mk_bv_sort(terms->z3, width));
}

Z3_ast term_named(struct terms *terms, const char *name, unsigned width)
{
    return Z3_mk_const(terms->z3, Z3_mk_string_symbol(terms->z3, name), Z3_mk_bv_sort(terms->z3, width));
}

Z3_ast term_fresh(struct terms *terms, unsigned width)
{
    return term_named(terms, arena_format(terms->arena, "fresh.%zu", terms->fresh++), width);
}

Z3_ast term_fresh_memory(struct terms *terms)
{
    const char *name = arena_format(terms->arena, "memory.%zu", terms->fresh++);
    return Z3_mk_const(terms->z3, Z3_mk_string_symbol(terms->z3, name), terms->memory);
}

Z3_ast term_truth(struct terms *terms, Z3_ast bit)
{
    return Z3_simplify(terms->z3, Z3_mk_eq(terms->z3, bit, term_number(terms, 1, 1)));
}

static Z3_ast as_bit(struct terms *terms, Z3_ast truth)
{
    return Z3_mk_ite(terms->z3, truth, term_number(terms, 1, 1), term_number(terms, 0, 1));
}

Z3_ast term_resize(struct terms *terms, Z3_ast value, unsigned width, bool is_signed)
{
    unsigned from = term_bits(terms, value);
    if (from == width)
        return value;
    if (from > width)
        return Z3_mk_extract(terms->z3, width - 1, 0, value);
    return is_signed ? Z3_mk_sign_ext(terms->z3, width - from, value) : Z3_mk_zero_ext(terms->z3, width - from, value);
}

Z3_ast term_simplify(struct terms *terms, Z3_ast value)
{
    Z3_ast simple = Z3_simplify_ex(terms->z3, value, terms->normal);
    return simple && Z3_get_error_code(terms->z3) == Z3_OK ? simple : value;
}

/* ---- addresses ---- */

static LLVMTargetDataRef layout_of(const struct terms *terms)
{
    return terms->sameness->old->layout;
}

static Z3_ast element_address(struct terms *terms, LLVMValueRef gep, Z3_ast operands[])
{
    Z3_context z3 = terms->z3;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    Z3_ast address = operands[0];
    if (term_bits(terms, address) != ADDRESS_BITS)
        return give_up(terms, "a vector of addresses", ADDRESS_BITS);
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
            uint64_t offset = LLVMOffsetOfElement(layout_of(terms), type, member);
            address = Z3_mk_bvadd(z3, address, term_number(terms, offset, ADDRESS_BITS));
            type = LLVMStructGetTypeAtIndex(type, member);
            continue;
        }
        type = i > 1 ? LLVMGetElementType(type) : type;
        Z3_ast size = term_number(terms, LLVMABISizeOfType(layout_of(terms), type), ADDRESS_BITS);
        Z3_ast count = term_resize(terms, operands[i], ADDRESS_BITS, true);
        address = Z3_mk_bvadd(z3, address, Z3_mk_bvmul(z3, count, size));
    }
    return address;
}

void terms_part(struct terms *terms, Z3_ast one, uint64_t size, Z3_ast other, uint64_t other_size)
{
    Z3_context z3 = terms->z3;
    Z3_ast end = Z3_mk_bvadd(z3, one, term_number(terms, size - 1, ADDRESS_BITS));
    Z3_ast other_end = Z3_mk_bvadd(z3, other, term_number(terms, other_size - 1, ADDRESS_BITS));
    Z3_ast order[] = {Z3_mk_bvult(z3, end, other), Z3_mk_bvult(z3, other_end, one)};
    Z3_ast facts[] = {Z3_mk_bvule(z3, one, end), Z3_mk_bvule(z3, other, other_end), Z3_mk_or(z3, 2, order)};
    Z3_solver_assert(z3, terms->solver, Z3_mk_and(z3, 3, facts));
}

/* ---- constants ---- */

static Z3_ast global_address(struct terms *terms, unsigned side, LLVMValueRef global)
{
    struct sameness *sameness = terms->sameness;
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    LLVMModuleRef elsewhere = side == OLD_SIDE ? sameness->new->module : sameness->old->module;
    bool is_function = LLVMIsAFunction(global);
    LLVMValueRef other = is_function ? LLVMGetNamedFunction(elsewhere, name) : LLVMGetNamedGlobal(elsewhere, name);
    LLVMValueRef initial = is_function || LLVMIsDeclaration(global) ? NULL : LLVMGetInitializer(global);
    if (initial && LLVMIsGlobalConstant(global) && LLVMGetUnnamedAddress(global) == LLVMGlobalUnnamedAddr &&
        LLVMIsAConstantDataArray(initial)) /* one constant for equal texts, in both versions */
        return term_named(terms, arena_format(terms->arena, "text.%p", (void *)initial), ADDRESS_BITS);
    LLVMValueRef old = side == OLD_SIDE ? global : other, new = side == OLD_SIDE ? other : global;
    if (other && constants_match(sameness, old, new))
        return term_named(terms, arena_format(terms->arena, "global.%s", name), ADDRESS_BITS);
    return term_named(terms, arena_format(terms->arena, "side.%u.%s", side, name), ADDRESS_BITS);
}

static Z3_ast long_number(struct terms *terms, LLVMValueRef constant, unsigned width)
{
    char *text = LLVMPrintValueToString(constant); /* iN 123 */
    const char *digits = strchr(text, ' ');
    Z3_ast number = Z3_mk_numeral(terms->z3, digits + 1, Z3_mk_bv_sort(terms->z3, width));
    LLVMDisposeMessage(text);
    return number && Z3_get_error_code(terms->z3) == Z3_OK ? number : give_up(terms, "a long number", width);
}

/* The first member has the lowest bits. */
static Z3_ast joined(struct terms *terms, unsigned side, LLVMValueRef constant)
{
    Z3_ast sum = NULL;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(constant); i++) {
        Z3_ast member = term_constant(terms, side, LLVMGetOperand(constant, i));
        sum = sum ? Z3_mk_concat(terms->z3, member, sum) : member;
    }
    return sum ? sum : give_up(terms, "an empty structure", 1);
}

static Z3_ast expression(struct terms *terms, unsigned side, LLVMValueRef constant, unsigned width)
{
    Z3_ast operands[MOST_OPERANDS];
    unsigned count = (unsigned)LLVMGetNumOperands(constant);
    if (count > MOST_OPERANDS)
        return give_up(terms, "a constant of many operands", width);
    for (unsigned i = 0; i < count; i++)
        operands[i] = term_constant(terms, side, LLVMGetOperand(constant, i));
    switch (LLVMGetConstOpcode(constant)) {
    case LLVMGetElementPtr: return element_address(terms, constant, operands);
    case LLVMPtrToInt:
    case LLVMIntToPtr: return term_resize(terms, operands[0], width, false);
    default: return give_up(terms, "a constant expression", width);
    }
}

Z3_ast term_constant(struct terms *terms, unsigned side, LLVMValueRef constant)
{
    unsigned width = term_width(terms, LLVMTypeOf(constant));
    if (!width)
        return give_up(terms, "a constant of such a type", 1);
    switch (LLVMGetValueKind(constant)) {
    case LLVMConstantIntValueKind:
        return width > 64 ? long_number(terms, constant, width)
                          : term_number(terms, LLVMConstIntGetZExtValue(constant), width);
    case LLVMConstantFPValueKind: /* there is one of each in the context */
        return term_named(terms, arena_format(terms->arena, "number.%p", (void *)constant), width);
    case LLVMConstantPointerNullValueKind:
    case LLVMConstantAggregateZeroValueKind: return term_number(terms, 0, width);
    case LLVMUndefValueValueKind:
    case LLVMPoisonValueValueKind: return term_fresh(terms, width);
    case LLVMFunctionValueKind:
    case LLVMGlobalVariableValueKind: return global_address(terms, side, constant);
    case LLVMConstantStructValueKind:
    case LLVMConstantArrayValueKind: return joined(terms, side, constant);
    case LLVMConstantExprValueKind: return expression(terms, side, constant, width);
    default: return give_up(terms, "a constant", width);
    }
}

/* ---- operations ---- */

typedef Z3_ast make_binary(Z3_context z3, Z3_ast one, Z3_ast other);

static make_binary *arithmetic_of(LLVMOpcode opcode)
{
    switch (opcode) {
    case LLVMAdd: return Z3_mk_bvadd;
    case LLVMSub: return Z3_mk_bvsub;
    case LLVMMul: return Z3_mk_bvmul;
    case LLVMUDiv: return Z3_mk_bvudiv;
    case LLVMSDiv: return Z3_mk_bvsdiv;
    case LLVMURem: return Z3_mk_bvurem;
    case LLVMSRem: return Z3_mk_bvsrem;
    case LLVMAnd: return Z3_mk_bvand;
    case LLVMOr: return Z3_mk_bvor;
    case LLVMXor: return Z3_mk_bvxor;
    case LLVMShl: return Z3_mk_bvshl;
    case LLVMLShr: return Z3_mk_bvlshr;
    case LLVMAShr: return Z3_mk_bvashr;
    default: return NULL;
    }
}

static Z3_ast compared(struct terms *terms, LLVMIntPredicate predicate, Z3_ast one, Z3_ast other)
{
    static make_binary *const makers[] = {
        [LLVMIntEQ] = Z3_mk_eq,     [LLVMIntNE] = Z3_mk_eq,     [LLVMIntUGT] = Z3_mk_bvugt, [LLVMIntUGE] = Z3_mk_bvuge,
        [LLVMIntULT] = Z3_mk_bvult, [LLVMIntULE] = Z3_mk_bvule, [LLVMIntSGT] = Z3_mk_bvsgt, [LLVMIntSGE] = Z3_mk_bvsge,
        [LLVMIntSLT] = Z3_mk_bvslt, [LLVMIntSLE] = Z3_mk_bvsle};
    Z3_ast truth = makers[predicate](terms->z3, one, other);
    return as_bit(terms, predicate == LLVMIntNE ? Z3_mk_not(terms->z3, truth) : truth);
}

/* A function of its operands of which nothing more is known. */
static Z3_ast unknown(struct terms *terms, const char *name, Z3_ast operands[], unsigned count, unsigned width)
{
    Z3_sort sorts[MOST_OPERANDS];
    for (unsigned i = 0; i < count; i++) {
        sorts[i] = Z3_get_sort(terms->z3, operands[i]);
        name = arena_format(terms->arena, "%s.%u", name, term_bits(terms, operands[i]));
    }
    name = arena_format(terms->arena, "%s.%u", name, width);
    Z3_func_decl function =
        Z3_mk_func_decl(terms->z3, Z3_mk_string_symbol(terms->z3, name), count, sorts, Z3_mk_bv_sort(terms->z3, width));
    return Z3_mk_app(terms->z3, function, count, operands);
}

static Z3_ast smaller(struct terms *terms, LLVMIntPredicate predicate, Z3_ast one, Z3_ast other)
{
    Z3_ast truth = term_truth(terms, compared(terms, predicate, one, other));
    return Z3_mk_ite(terms->z3, truth, one, other);
}

static Z3_ast funnel(struct terms *terms, const char *name, Z3_ast operands[], unsigned width)
{
    Z3_context z3 = terms->z3;
    bool is_left = name_begins(name, "llvm.fshl.");
    Z3_ast both = Z3_mk_concat(z3, operands[0], operands[1]);
    Z3_ast distance = Z3_mk_bvurem(z3, operands[2], term_number(terms, width, width));
    distance = Z3_mk_zero_ext(z3, width, distance);
    Z3_ast moved = is_left ? Z3_mk_bvshl(z3, both, distance) : Z3_mk_bvlshr(z3, both, distance);
    return is_left ? Z3_mk_extract(z3, 2 * width - 1, width, moved) : Z3_mk_extract(z3, width - 1, 0, moved);
}

static Z3_ast called(struct terms *terms, LLVMValueRef call, Z3_ast operands[], unsigned count, unsigned width)
{
    static const struct {
        const char *name;
        LLVMIntPredicate predicate;
    } choices[] = {
        {"llvm.smax.", LLVMIntSGT}, {"llvm.smin.", LLVMIntSLT}, {"llvm.umax.", LLVMIntUGT}, {"llvm.umin.", LLVMIntULT}};
    const char *name = callee_name(call);
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (name_begins(name, choices[i].name))
            return smaller(terms, choices[i].predicate, operands[0], operands[1]);
    if (name_begins(name, "llvm.abs.")) {
        Z3_ast negative = Z3_mk_bvneg(terms->z3, operands[0]);
        return Z3_mk_ite(terms->z3, Z3_mk_bvslt(terms->z3, operands[0], term_number(terms, 0, width)), negative,
                         operands[0]);
    }
    if (strcmp(name, OWN "address") == 0) /* nothing follows from where objects lie but that they are apart */
        return operands[0];
    if (name_begins(name, "llvm.fshl.") || name_begins(name, "llvm.fshr."))
        return funnel(terms, name, operands, width);
    if (name_begins(name, "llvm.usub.sat."))
        return Z3_mk_ite(terms->z3, Z3_mk_bvult(terms->z3, operands[0], operands[1]), term_number(terms, 0, width),
                         Z3_mk_bvsub(terms->z3, operands[0], operands[1]));
    Z3_ast bits = count ? term_of_bits(terms, name, operands[0], width) : NULL;
    return bits ? bits : unknown(terms, name, operands, count, width);
}

/* Where a member's bits begin, and the member's type. */
static unsigned member_place(struct terms *terms, LLVMValueRef instruction, LLVMTypeRef *type)
{
    unsigned place = 0;
    const unsigned *indices = LLVMGetIndices(instruction);
    *type = LLVMTypeOf(LLVMGetOperand(instruction, 0));
    for (unsigned i = 0; i < LLVMGetNumIndices(instruction); i++) {
        bool is_structure = LLVMGetTypeKind(*type) == LLVMStructTypeKind;
        for (unsigned k = 0; is_structure && k < indices[i]; k++)
            place += term_width(terms, LLVMStructGetTypeAtIndex(*type, k));
        *type = is_structure ? LLVMStructGetTypeAtIndex(*type, indices[i]) : LLVMGetElementType(*type);
        place += is_structure ? 0 : indices[i] * term_width(terms, *type);
    }
    return place;
}

static Z3_ast member(struct terms *terms, LLVMValueRef at, Z3_ast operands[])
{
    LLVMTypeRef type;
    unsigned place = member_place(terms, at, &type), width = term_width(terms, type);
    if (!width || place + width > term_bits(terms, operands[0]))
        return give_up(terms, "a member", width);
    if (LLVMGetInstructionOpcode(at) == LLVMExtractValue)
        return Z3_mk_extract(terms->z3, place + width - 1, place, operands[0]);
    unsigned whole = term_bits(terms, operands[0]);
    Z3_ast result = operands[1];
    if (place)
        result = Z3_mk_concat(terms->z3, result, Z3_mk_extract(terms->z3, place - 1, 0, operands[0]));
    if (place + width < whole)
        result = Z3_mk_concat(terms->z3, Z3_mk_extract(terms->z3, whole - 1, place + width, operands[0]), result);
    return result;
}

/* ---- memory ---- */

static bool is_stored_whole(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind;
}

static Z3_ast byte_address(struct terms *terms, Z3_ast address, unsigned at)
{
    return Z3_simplify(terms->z3, Z3_mk_bvadd(terms->z3, address, term_number(terms, at, ADDRESS_BITS)));
}

static Z3_ast loaded(struct terms *terms, LLVMTypeRef type, Z3_ast address, Z3_ast memory, unsigned width)
{
    unsigned bytes = (width + BYTE_BITS - 1) / BYTE_BITS;
    if (!is_stored_whole(type))
        return give_up(terms, "a structure that is loaded at once", width);
    Z3_ast value = NULL;
    for (unsigned i = 0; i < bytes; i++) {
        Z3_ast byte = Z3_mk_select(terms->z3, memory, byte_address(terms, address, i));
        value = value ? Z3_mk_concat(terms->z3, byte, value) : byte;
    }
    return term_resize(terms, value, width, false);
}

static Z3_ast stored(struct terms *terms, LLVMTypeRef type, Z3_ast value, Z3_ast address, Z3_ast memory)
{
    unsigned width = term_bits(terms, value), bytes = (width + BYTE_BITS - 1) / BYTE_BITS;
    if (!is_stored_whole(type)) {
        give_up(terms, "a structure that is stored at once", 1);
        return memory;
    }
    value = term_resize(terms, value, bytes * BYTE_BITS, false);
    for (unsigned i = 0; i < bytes; i++) {
        Z3_ast byte = Z3_mk_extract(terms->z3, i * BYTE_BITS + BYTE_BITS - 1, i * BYTE_BITS, value);
        memory = Z3_mk_store(terms->z3, memory, byte_address(terms, address, i), Z3_simplify(terms->z3, byte));
    }
    return memory;
}

static bool is_copying(LLVMValueRef at)
{
    const char *name = callee_name(at);
    return name_begins(name, "llvm.memcpy.") || name_begins(name, "llvm.memmove.") || name_begins(name, "llvm.memset.");
}

bool is_plain_writing(LLVMValueRef at)
{
    if (LLVMIsAStoreInst(at))
        return !LLVMGetVolatile(at) && LLVMGetOrdering(at) == LLVMAtomicOrderingNotAtomic;
    if (!is_copying(at))
        return false;
    LLVMValueRef is_volatile = LLVMGetOperand(at, 3);
    return LLVMIsAConstantInt(is_volatile) && LLVMConstIntGetZExtValue(is_volatile) == 0;
}

Z3_ast term_written(struct terms *terms, LLVMValueRef at, Z3_ast operands[], Z3_ast memory)
{
    if (LLVMIsAStoreInst(at))
        return stored(terms, LLVMTypeOf(LLVMGetOperand(at, 0)), operands[0], operands[1], memory);
    Z3_ast arguments[] = {memory, operands[0], operands[1], operands[2]};
    Z3_sort sorts[4];
    for (unsigned i = 0; i < 4; i++)
        sorts[i] = Z3_get_sort(terms->z3, arguments[i]);
    Z3_symbol name = Z3_mk_string_symbol(terms->z3, callee_name(at));
    return Z3_mk_app(terms->z3, Z3_mk_func_decl(terms->z3, name, 4, sorts, terms->memory), 4, arguments);
}

/* ---- all of them ---- */

static Z3_ast chosen(struct terms *terms, Z3_ast operands[], unsigned width)
{
    if (term_bits(terms, operands[0]) != 1)
        return give_up(terms, "a vector of choices", width);
    return Z3_mk_ite(terms->z3, term_truth(terms, operands[0]), operands[1], operands[2]);
}

/* `2 * i | 1` is LLVM's way to write an index of which it knows that no bit is in both: as a sum it is what it was. */
static bool is_sum(LLVMValueRef at)
{
    return LLVMGetInstructionOpcode(at) == LLVMOr && LLVMIsAConstantInt(LLVMGetOperand(at, 1)) && LLVMGetIsDisjoint(at);
}

/* So is `i << 1`, which Z3 would take apart. */
static bool is_multiple(LLVMValueRef at, unsigned width)
{
    LLVMValueRef distance = LLVMGetInstructionOpcode(at) == LLVMShl ? LLVMGetOperand(at, 1) : NULL;
    return distance && width <= 64 && LLVMIsAConstantInt(distance) && LLVMConstIntGetZExtValue(distance) < width;
}

static Z3_ast operation(struct terms *terms, LLVMValueRef at, Z3_ast operands[], Z3_ast memory, unsigned width)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
    if (is_multiple(at, width))
        return Z3_mk_bvmul(terms->z3, operands[0],
                           term_number(terms, UINT64_C(1) << LLVMConstIntGetZExtValue(LLVMGetOperand(at, 1)), width));
    make_binary *arithmetic = is_sum(at) ? Z3_mk_bvadd : arithmetic_of(opcode);
    if (arithmetic)
        return arithmetic(terms->z3, operands[0], operands[1]);
    switch (opcode) {
    case LLVMICmp: return compared(terms, LLVMGetICmpPredicate(at), operands[0], operands[1]);
    case LLVMFCmp:
        return unknown(terms, arena_format(terms->arena, "fcmp.%d", (int)LLVMGetFCmpPredicate(at)), operands, 2, width);
    case LLVMUIToFP:                                    /* of what is never negative, it is the other one */
        opcode = LLVMGetNNeg(at) ? LLVMSIToFP : opcode; /* fall through */
    case LLVMFNeg:
    case LLVMSIToFP: return unknown(terms, arena_format(terms->arena, "opcode.%d", (int)opcode), operands, 1, width);
    case LLVMSExt: return term_resize(terms, operands[0], width, true);
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMPtrToInt:
    case LLVMIntToPtr: return term_resize(terms, operands[0], width, false);
    case LLVMBitCast:
    case LLVMFreeze: return operands[0];
    case LLVMSelect: return chosen(terms, operands, width);
    case LLVMGetElementPtr: return element_address(terms, at, operands);
    case LLVMExtractValue:
    case LLVMInsertValue: return member(terms, at, operands);
    case LLVMLoad: return loaded(terms, LLVMTypeOf(at), operands[0], memory, width);
    case LLVMCall: return called(terms, at, operands, LLVMGetNumArgOperands(at), width);
    default: return give_up(terms, "an instruction", width);
    }
}

Z3_ast term_operation(struct terms *terms, LLVMValueRef at, Z3_ast operands[], Z3_ast memory)
{
    unsigned width = term_width(terms, LLVMTypeOf(at));
    if (!width)
        return give_up(terms, "a value of such a type", 1);
    Z3_ast value = operation(terms, at, operands, memory, width);
    if (!value || Z3_get_error_code(terms->z3) != Z3_OK || term_bits(terms, value) != width)
        return give_up(terms, "an operation", width);
    return term_simplify(terms, value);
}
