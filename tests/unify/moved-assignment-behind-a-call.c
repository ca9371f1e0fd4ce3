/* ==== old ==== */
char *at, *at_before, *end_before, *end;
struct text { char *start, *end; } text;
void make_room(struct text *text);
void f(void)
{
    at_before = at;
    end_before = end;
    at = text.start;
    make_room(&text);
    end = text.end;
}
/* ==== new ==== */
char *at, *at_before, *end_before, *end;
struct text { char *start, *end; } text;
void make_room(struct text *text);
void f(void)
{
    at_before = at;
    end_before = end;
    make_room(&text);
    at = text.start;
    end = text.end;
}
/* ==== unified ==== */
char *at, *at_before, *end_before, *end;
struct text { char *start, *end; } text;
void make_room(struct text *text);
void f(void)
{
    at_before = at;
    end_before = end;
    at = pn_change(text.start, at);
    make_room(&text);
    at = pn_change(at, text.start);
    end = text.end;
}
