"""Checks a document against a JSON Schema, as far as docs/report.schema.json needs it: a keyword that is not known here is a
mistake, never something that is left out."""

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
WORDS = {"$schema", "$id", "$defs", "title", "description"}


def is_type(value, name):
    if name in ("integer", "number"):
        return isinstance(value, int if name == "integer" else (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def is_same(value, other):
    return value == other and isinstance(value, bool) == isinstance(other, bool)


def problems(schema, value, whole=None, place="$"):
    """Sentences: what is wrong with the value."""
    whole = whole or schema
    found = []

    def check(holds, what):
        if not holds:
            found.append(f"{place}: {what}")

    for key, wanted in schema.items():
        if key == "$ref":
            found += problems(whole["$defs"][wanted.removeprefix("#/$defs/")], value, whole, place)
        elif key == "anyOf":
            check(any(not problems(one, value, whole, place) for one in wanted), f"none of {wanted}")
        elif key == "type":
            check(any(is_type(value, name) for name in ([wanted] if isinstance(wanted, str) else wanted)), f"{value!r} is no {wanted}")
        elif key == "const":
            check(is_same(value, wanted), f"{value!r} is not {wanted!r}")
        elif key == "enum":
            check(any(is_same(value, one) for one in wanted), f"{value!r} is none of {wanted}")
        elif key in ("minimum", "maximum"):
            check(not is_type(value, "number") or (value >= wanted if key == "minimum" else value <= wanted), f"{value} is beyond {wanted}")
        elif key == "items":
            for i, one in enumerate(value if isinstance(value, list) else []):
                found += problems(wanted, one, whole, f"{place}[{i}]")
        elif key == "required":
            check(not isinstance(value, dict) or all(one in value for one in wanted), f"keys of {wanted} are missing")
        elif key in ("properties", "additionalProperties"):
            named = schema.get("properties", {})
            for name, one in value.items() if isinstance(value, dict) else ():
                if (name in named) == (key == "properties"):
                    if wanted is False:
                        check(False, f"the key {name!r} is not known")
                    else:
                        found += problems(wanted[name] if key == "properties" else wanted, one, whole, f"{place}.{name}")
        elif key not in WORDS:
            raise ValueError(f"the keyword {key!r} is not known to this checker")
    return found
