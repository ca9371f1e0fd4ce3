"""Compares one run that Penumbra traced with what the judges of both versions saw."""

import os

import judge

SIGNALS = {judge.DIVISION: 8, judge.ACCESS: 11, judge.END: 6}
OLD_TARGET = 1 << 24  # in a part: the old version's target, decided before the common chain
LEAVING_SIDE = {"old": 1, "new": 2}


class Item:
    """A branch, or the chain of decisions that one passage of a switch is."""

    def __init__(self, first, event, in_old=()):
        self.first, self.events, self.in_old = first, [event], in_old

    def last(self):
        return self.first + len(self.events) - 1

    def goes_on_with(self, event):
        before = self.events[-1]
        same_place = all(event[key] == before[key] for key in ("line", "column"))
        same_side = event["side"] == before["side"] or (before["side"], event["side"]) == ("both", "new")
        return event["part"] > before["part"] > 0 and same_place and same_side and not before["new"]

    def fits(self, entry, version, until=None):
        """Whether it is the judge's log entry, as a version sees it; events behind `until` do not count."""
        if entry.line != self.events[0]["line"]:
            return False
        if not self.events[0]["part"]:
            return entry.kind == "branch" and self.events[0][version] == entry.value
        if version == "old" and any(event["old"] != (event["part"] == OLD_TARGET + entry.value) for event in self.in_old):
            return False
        seen = self.events if until is None else self.events[:until - self.first + 1]
        return entry.kind == "switch" and all(event[version] == (event["part"] == entry.value) for event in seen)

    def fits_together(self, entry):
        """Before the versions part."""
        if self.events[0]["side"] != entry.side:
            return False
        return all(self.fits(entry, version) for version in ("old", "new") if entry.side in ("both", version))

    def fits_new(self, entry):
        return self.fits(entry, "new")

    def __str__(self):
        event = self.events[-1]
        return f"line {event['line']} (side {event['side']}, new {event['new']}, old {event['old']})"


def items_of(decisions, file_name):
    items, in_old = [], []
    for i, event in enumerate(decisions):
        if event["kind"] != "branch" or event["what"] or os.path.basename(event["file"]) != file_name:
            continue  # `what`: a library function decides, not the program's own code
        if event["part"] >= OLD_TARGET:
            in_old.append(event)
            continue
        if items and items[-1].last() == i - 1 and items[-1].goes_on_with(event):
            items[-1].events.append(event)
        else:
            items.append(Item(i, event, in_old))
            in_old = []
    return items


def not_in_order(items, log, fits):
    """The first item that does not follow the others in the log, or None."""
    at = 0
    for item in items:
        while at < len(log) and not fits(item, log[at]):
            at += 1
        if at == len(log):
            return item
        at += 1
    return None


class Comparison:
    """One run: the trace that Penumbra printed, and what the two judges saw."""

    def __init__(self, trace, old, new, file_name):
        self.trace, self.old, self.new = trace, old, new
        self.decisions, self.diverged = trace["decisions"], trace["diverged"]
        self.items = items_of(self.decisions, file_name)
        self.joint = judge.Joint(old, new)
        self.conservative = None  # why the versions part for Penumbra alone
        self.complaints = []

    def complain(self, text):
        self.complaints.append(text)

    def check(self):
        self.check_ending()
        event = self.decisions[self.diverged] if self.diverged is not None else None
        if event and event["kind"] == "external" and self.check_call_outside(event):
            self.conservative = "a call that leaves the program"
        elif self.joint.parted is None:
            self.check_together(event)
        elif event is None:
            self.complain(f"no divergence reported, but old {self.joint.parted[0]} and new {self.joint.parted[1]} differ")
        else:
            self.check_divergence(event)
        if self.trace["ending"] == "completed":
            self.check_outputs()
        return self.complaints

    # ---- the end of the run ----

    def check_ending(self):
        ending, signal, failure = self.trace["ending"], self.trace["signal"], self.new.failure()
        if self.trace["lost"]:
            self.complain(f"lost: {self.trace['lost']}")
        if not failure:
            if ending != "completed":
                self.complain(f"ended as {ending} (signal {signal}), the new version completes")
            return
        # What depends neither on the input nor on the version is no decision: the program just crashes.
        crashed = ending == "crashed" and signal == SIGNALS[failure.value]
        if ending != "check-failed" and not crashed:
            self.complain(f"ended as {ending} (signal {signal}), the new version ends with {failure}")
        failures = [event["line"] for event in self.decisions if event["kind"] == "check" and not event["new"]]
        if ending == "check-failed" and failures != [failure.line]:
            self.complain(f"the new version ends with {failure}, the trace has failures at {failures}")

    # ---- where the versions part ----

    def split(self):
        """The items before the divergence, at it, and after it."""
        return ([item for item in self.items if item.last() < self.diverged],
                [item for item in self.items if item.first <= self.diverged <= item.last()],
                [item for item in self.items if item.first > self.diverged])

    def check_call_outside(self, event):
        """Shadowed data leave the program: Penumbra does not know what the call makes of them. Whether such a call is
        passed there."""
        before, _, after = self.split()
        together = self.joint.together
        for i, entry in enumerate(together):
            if entry.kind != "outside" or entry.line != event["line"]:
                continue
            # One side's own decisions until the next common one are still to come, in the new version.
            rest = [other for other in together[i:] if other.side != "old"] + self.joint.after
            if self.joint.parted and self.joint.parted[1]:
                rest = ([other for other in together[i:] if other.side != "old"] + [self.joint.parted[1]]
                        + self.joint.after)
            if (not not_in_order(before, together[:i], Item.fits_together)
                    and not not_in_order(after, rest, Item.fits_new)):
                return True
        return False

    def check_together(self, event):
        failure = self.new.failure()
        # Two operations on one line, one failing in each version: apart for Penumbra, the same for the judges.
        both_fail_there = event and failure and event["kind"] == "check" and event["line"] == failure.line
        if event and not both_fail_there:
            self.complain(f"divergence reported at {event}, but both versions take the same path")
        misplaced = not_in_order(self.items, self.joint.together, Item.fits_together)
        if misplaced and not event:
            self.complain(f"neither version decides so: {misplaced}")

    def check_divergence(self, event):
        before, at, after = self.split()
        misplaced = not_in_order(before, self.joint.together, Item.fits_together)
        if misplaced:
            self.complain(f"before they part, neither version decides so: {misplaced}")
        if not self.is_there(event, at):
            self.complain(f"old {self.joint.parted[0]} and new {self.joint.parted[1]} part, the trace says at "
                          f"{event['kind']}, line {event['line']}, old {event['old']}, new {event['new']}")
        misplaced = not_in_order(after, self.joint.after, Item.fits_new)
        if misplaced:
            self.complain(f"after the divergence the new version does not decide so: {misplaced}")

    def is_there(self, event, at):
        old, new = self.joint.parted
        kinds = [entry.kind for entry in (old, new) if entry]
        if "fail" in kinds:
            return self.is_failure(event, old, new)
        if "leave" in kinds:
            self.conservative = "one-sided code is left early"
            entry = old or new
            return (event["kind"], event["line"], event["part"]) == ("leave", entry.line, LEAVING_SIDE[entry.side])
        if kinds == ["target", "target"]:
            self.conservative = "a call of another function"
            return event["kind"] == "external" and event["line"] == old.line == new.line
        return bool(at) and old is not None and new is not None and at[0].fits(new, "new") and at[0].fits(
            old, "old", self.diverged)

    def is_failure(self, event, old, new):
        """One version fails, or both do at different places, the first of which counts."""
        places = []
        if old and old.kind == "fail":
            places.append(("check", old.line, 0, 1))
        if new and new.kind == "fail":
            places.append(("check", new.line, 1, 0))
        if new and new.kind == "fail" and new.value == judge.END:  # for the old version, that is
            places.append(("leave", new.line, 0, 1))
        return (event["kind"], event["line"], event["old"], event["new"]) in places

    # ---- outputs and paths ----

    def check_outputs(self):
        outputs = {output["name"]: output for output in self.trace["outputs"]}
        together = self.diverged is None and self.joint.parted is None
        for name, expected in self.new.outputs.items():
            if name not in outputs:
                self.complain(f"output {name} is missing")
            elif outputs[name]["new"] != expected:
                self.complain(f"output {name}: new is {expected}, the trace says {outputs[name]['new']}")
            elif together and outputs[name]["old"] != self.old.outputs[name]:
                self.complain(f"output {name}: old is {self.old.outputs[name]}, the trace says {outputs[name]['old']}")

    def path(self):
        """The decisions as the trace lists them; None where they need not tell two paths apart."""
        if any(event["kind"] in ("concretise", "external", "unmodelled") for event in self.decisions):
            return None
        keys = ("kind", "file", "line", "column", "part", "side", "new", "old")
        return tuple(tuple(event[key] for key in keys) for event in self.decisions if event["kind"] != "change")

    def truth(self):
        """What two runs with the same path() must have in common."""
        return self.joint.together + list(self.joint.parted or ()) + self.joint.after
