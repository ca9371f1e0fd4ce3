/* Bit-fields whose storage is wider than 64 bits, set by code of one version: the versions part there, and what the new
 * version has stored has no labels any more. What it reads is bound. */
#include <penumbra.h>

struct __attribute__((packed)) fields {
    long low : 50;
    long high : 30;
};

int wide_fields(void)
{
    static struct fields fields;
    pn_symbolic(&fields, sizeof fields, "fields");
    if (execute(OLD))
        fields.high = 5;
    if (execute(NEW))
        fields.high = fields.low > 3 ? 5 : 6;
    if (fields.high == 5)
        return 1;
    return 0;
}
