/* The new version reads the next element of a list out of the element that it has just freed. */
#include <penumbra.h>
#include <stdlib.h>
struct node {
    struct node *next;
    int value;
};
int f(int n)
{
    struct node *head = NULL;
    int sum = 0;
    for (int i = 0; i < 3 && i < n; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        *node = (struct node){head, i};
        head = node;
    }
    if (execute(OLD)) {
        while (head) {
            struct node *next = head->next;
            sum += head->value;
            free(head);
            head = next;
        }
    } else {
        while (head) {
            sum += head->value;
            free(head);
            head = head->next;
        }
    }
    return sum;
}
