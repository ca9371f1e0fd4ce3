/* The constants of a program, as hints for inputs that are guessed: what it compares with comes first, since that is
 * where it goes another way. */
#include "instrument/bitcode.h"
#include "instrument/emit.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NUMBERS = 200, MOST_TEXTS = 64, LONGEST_TEXT = 64, MOST_MEMBERS = 256 };

static void add_once(struct site_table *sites, struct words *words, size_t most, const char *word)
{
    if (words->count < most && !words_have(words, word))
        words_add(words, arena_copy_string(sites->arena, word));
}

static void add_number(struct site_table *sites, LLVMValueRef constant)
{
    char word[64];
    LLVMBool is_inexact;
    if (LLVMIsAConstantInt(constant) && LLVMGetIntTypeWidth(LLVMTypeOf(constant)) > 1 &&
        LLVMGetIntTypeWidth(LLVMTypeOf(constant)) <= 64)
        snprintf(word, sizeof word, "%lld", LLVMConstIntGetSExtValue(constant));
    else if (LLVMIsAConstantFP(constant))
        snprintf(word, sizeof word, "%a", LLVMConstRealGetDouble(constant, &is_inexact));
    else
        return;
    add_once(sites, &sites->numbers, MOST_NUMBERS, word);
}

/* Strings, and tables of them. */
static void add_texts(struct site_table *sites, LLVMValueRef value, unsigned depth)
{
    if (LLVMIsAGlobalVariable(value))
        value = LLVMIsGlobalConstant(value) ? LLVMGetInitializer(value) : NULL;
    if (!value || !LLVMIsAConstant(value))
        return;
    if (LLVMIsAConstantDataArray(value) && LLVMIsConstantString(value)) {
        size_t length;
        const char *text = LLVMGetAsString(value, &length);
        char word[LONGEST_TEXT + 1] = "";
        strncat(word, text, length < LONGEST_TEXT ? length : LONGEST_TEXT);
        if (*word)
            add_once(sites, &sites->texts, MOST_TEXTS, word);
        return;
    }
    if (!LLVMIsAConstantArray(value) && !LLVMIsAConstantStruct(value) && !LLVMIsAConstantExpr(value))
        return;
    int count = LLVMGetNumOperands(value);
    for (int i = 0; i < count && i < MOST_MEMBERS && depth; i++)
        add_texts(sites, LLVMGetOperand(value, (unsigned)i), depth - 1);
}

static bool decides(LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    return opcode == LLVMICmp || opcode == LLVMFCmp || opcode == LLVMSwitch;
}

/* Sizes of types and places of members say nothing about inputs. */
static bool counts_bytes(LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    return opcode == LLVMAlloca || opcode == LLVMGetElementPtr;
}

static void look_at(struct site_table *sites, LLVMValueRef function, bool at_decisions)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
            if (decides(at) != at_decisions)
                continue;
            for (int i = 0; i < LLVMGetNumOperands(at); i++) {
                LLVMValueRef operand = LLVMGetOperand(at, (unsigned)i);
                if (!counts_bytes(at))
                    add_number(sites, operand);
                add_texts(sites, operand, 3);
            }
        }
}

void find_constants(struct emitter *emitter)
{
    for (int at_decisions = 1; at_decisions >= 0; at_decisions--)
        for (LLVMValueRef at = LLVMGetFirstFunction(emitter->module); at; at = LLVMGetNextFunction(at))
            if (strncmp(name_of(at), "__pn_", 5) != 0)
                look_at(emitter->sites, at, at_decisions);
}
