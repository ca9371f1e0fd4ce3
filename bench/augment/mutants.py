"""Changes of controller.c and tokenizer.c: what is written in the old version, and in the new one."""

CONTROLLER = [
    ("        return 300;\n", "        return 350;\n"),
    ("        return 500;\n", "        return 400;\n"),
    ("    return 640;\n", "    return 740;\n"),
    ("    if (layer <= LOW_LAYER)\n        return 20;", "    if (layer < LOW_LAYER)\n        return 20;"),
    ("    return 35;\n", "    return 30;\n"),
    ("    if (!now->confident)\n        return 0;\n    if (now->range < 1000)", "    if (now->range < 1000)"),
    ("now->range < 1000", "now->range <= 1000"),
    ("now->closing <= 0", "now->closing < 0"),
    ("int rate = now->inhibited ? 0 : 1500;", "int rate = now->inhibited ? 1000 : 1500;"),
    ("return own > other ? own - other : 0;", "return own >= other ? own - other : 1;"),
    ("    if (now->equipped && now->intent == WILL_CLIMB)", "    if (now->equipped || now->intent == WILL_CLIMB)"),
    ("    if (now->equipped && now->intent == WILL_DESCEND)", "    if (now->intent == WILL_DESCEND)"),
    ("        return up >= down + 100;", "        return up > down + 100;"),
    ("    return up >= down || is_above(now);", "    return up >= down;"),
    ("    return up >= down || is_above(now);", "    return up >= down && is_above(now);"),
    ("    if (now->own_height < 1000)\n        return 0;\n", ""),
    ("    return down > up || !is_above(now);", "    return down >= up || !is_above(now);"),
    ("    return now->own_height > now->other_height;", "    return now->own_height >= now->other_height;"),
    ("        advice = is_above(&now) ? CLIMB : DESCEND;", "        advice = CLIMB;"),
    ("    if (previous == CLIMB && advice == DESCEND && ", "    if (advice == DESCEND && "),
]

TOKENIZER = [
    ("    return character >= '0' && character <= '9';", "    return character > '0' && character <= '9';"),
    ("|| character == '_';", ";"),
    ("    case '`':\n", ""),
    ("character == '\\t' || character == '\\n';", "character == '\\n';"),
    ("        if (character == 0 || character == '\\n')\n            return;\n        add", "        if (character == 0)\n            return;\n        add"),
    ("token->length > 1 && token->text[(token->length", "token->text[(token->length"),
    ("token->length == 2 && is_letter(token->text[1]);", "is_letter(token->text[1]);"),
    ("(token->text[0] == 'o' && token->text[1] == 'r');", "(token->text[0] == 'o' && token->text[1] != 'r');"),
    ("            return i > 0;", "            return i > 1;"),
    ("    if (census.depth != 0)", "    if (census.depth > 0)"),
]

SUBJECTS = {
    "controller": {"file": "controller.c", "entry": "advise", "mutants": CONTROLLER, "options": []},
    "tokenizer": {"file": "tokenizer.c", "entry": "tokenize", "mutants": TOKENIZER, "options": ["--size", "text=3"]},
}
