/* A later version that is known to be right (--fixed): does it take a difference back, or does the difference stay in
 * it? The witness of each group is run on that version, too, and compared with the old one. */
#ifndef PENUMBRA_CAMPAIGN_FIXED_H
#define PENUMBRA_CAMPAIGN_FIXED_H

struct campaign;

/* The groups must have been made, and not be changed any more. Where that version cannot be run, the report says why.
 */
void fixed_try(struct campaign *campaign);

#endif
