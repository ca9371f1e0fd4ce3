"""Random statements in which the versions differ: code that only one has, and what follows from values, addresses,
lengths, blocks and functions that are not the same in both."""

from expressions import COMPARISONS, Effects
from language import TYPE, TYPES, Pointer, Scope, Variable, wrapped
from statements import Body


class SidedBody(Body):
    # ---- code of one version ----

    def version(self):
        """The condition of an if that decides by the version."""
        return f"{self.chance.choice(['', '', '', '!'])}execute({self.chance.choice(['OLD', 'NEW'])})"

    def open_region(self):
        if self.regions():
            self.note("nested execute()")

    def one_sided(self, room):
        self.open_region()
        self.emit(f"if ({self.version()}) {{ BEGIN")
        self.block(room, "region")
        if self.chance.random() < 0.5:
            self.emit("END } else { BEGIN")
            self.block(room, "region")
        self.emit("END }")

    def both_leave(self, room):
        """Each version has code of its own, and both end it by the same jump."""
        jumps = ["return"] + (["break", "continue"] if self.around[-1:] == ["loop"] else [])
        jump = self.chance.choice(jumps)
        self.open_region()
        self.note("one-sided code that both leave")
        self.emit(f"if ({self.condition()}) {{")
        self.indent += 1
        self.emit(f"if ({self.version()}) {{ BEGIN")
        self.block_that_joins(room, jump)
        self.emit("} else { BEGIN")
        self.block_that_joins(room, jump)
        self.emit("}")
        self.indent -= 1
        self.emit("}")

    def block_that_joins(self, room, jump):
        outer, self.expressions.scope = self.scope, Scope(self.scope)
        self.indent += 1
        self.around.append("joined by return" if jump == "return" else "joined by jump")
        for _ in range(self.chance.randrange(3)):
            self.statement(min(room, 0))
        if jump == "return":
            self.give_back()
        else:
            self.emit(f"JOIN(1) {jump};")
        self.around.pop()
        self.indent -= 1
        self.expressions.scope = outer

    def moved(self):
        """A statement that one version has before some others, and the other one behind them."""
        lines, self.lines = self.lines, []
        self.expressions.scope, outer = Scope(self.scope), self.scope
        self.indent += 1
        self.around.append("region")
        self.chance.choice([self.assign, self.call])()
        self.around.pop()
        self.indent -= 1
        self.expressions.scope = outer
        piece, self.lines = self.lines, lines
        first, second = self.chance.sample(["OLD", "NEW"], 2)
        self.lines += ["    " * self.indent + f"if (execute({first})) {{ BEGIN"] + piece
        self.emit("END }")
        self.assign()
        self.lines += ["    " * self.indent + f"if (execute({second})) {{ BEGIN"] + piece
        self.emit("END }")

    # ---- change() with effects ----

    def effects(self, room):
        effects = Effects(self)
        change = effects.change()
        pick = self.chance.random()
        if pick < 0.3:
            self.declare_scalar(self.chance.choice(TYPES), change)
        elif pick < 0.5:
            self.emit(f"{self.expressions.variable(effects.written)} = {change};")
        elif pick < 0.6:
            taken = effects.written | {scalar.name for scalar in self.scope.scalars if scalar.is_global}
            names = [scalar.name for scalar in self.scope.scalars if scalar.writable and scalar.name not in taken]
            if names:
                self.emit(f"{self.chance.choice(names)} {self.chance.choice('+-^&|')}= {change};")
            else:
                self.declare_scalar(TYPE["int"], change)
        elif pick < 0.75 and self.expressions.use_arrays:
            self.point_at(change)
        else:
            comparison = f"{self.chance.choice(COMPARISONS)} {self.expressions.constant()}"
            condition = change if self.chance.random() < 0.3 else f"{change} {comparison}"
            self.emit(f"if (BR({condition})) {{")
            self.block(room)
            self.emit("}")

    def point_at(self, index):
        array = self.chance.choice(self.scope.arrays)
        self.note("shadowed addresses")
        name, const = self.name("p"), "" if array.writable else "const "
        self.emit(f"{const}{array.type.name} *{name} = &{array.name}[{wrapped(index)} & {array.mask}];")
        pointer = Pointer(name, array.type, array.writable, [array], assignable=False)
        self.use_pointer(pointer)
        self.scope.pointers.append(pointer)

    def switch_value(self):
        if self.chance.random() < 0.3:
            return self.changed()
        return super().switch_value()

    def changed(self):
        """A change(), whether or not it was its turn."""
        return self.expressions.change(2)

    # ---- shadowed addresses and lengths ----

    def shadowed_element(self):
        arrays = [array for array in self.scope.arrays if array.writable]
        if not arrays:
            self.assign()
            return
        self.safe()
        self.note("shadowed addresses")
        array = self.chance.choice(arrays)
        element = f"{array.name}[{self.changed()} & {array.mask}]"
        if self.chance.random() < 0.6:
            self.note_store()
            operator = self.chance.choice(["", "", "", "+", "^"])
            self.emit(f"{element} {operator}= {self.expressions.expression(2)};")
        else:
            self.emit(f"{self.expressions.variable()} = {element};")

    def pairs_of_arrays(self):
        """Arrays that a pointer could point to in turn."""
        return [(one, other) for one in self.scope.arrays for other in self.scope.arrays
                if one is not other and one.type is other.type and one.writable and other.writable]

    def chosen_pointer(self):
        pairs = self.pairs_of_arrays()
        if not pairs:
            self.shadowed_element()
            return
        one, other = self.chance.choice(pairs)
        self.safe()
        self.note("shadowed addresses")
        if self.chance.random() < 0.5:
            name = self.name("q")
            self.emit(f"{one.type.name} *{name} = change({one.name}, {other.name});")
            self.scope.arrays.append(Variable(name, one.type, min(one.mask, other.mask), may_alias=True))
            one.may_alias = other.may_alias = True
            return
        name = self.name("p")
        elements = [f"&{self.expressions.element(array, 1)}" for array in (one, other)]
        if self.chance.random() < 0.3:
            elements[0] = f"(BR({self.expressions.compared()}) ? {elements[0]} : {elements[1]})"
            self.note("branching change() arguments")
        self.emit(f"{one.type.name} *{name} = change({elements[0]}, {elements[1]});")
        pointer = Pointer(name, one.type, True, [one, other])
        self.use_pointer(pointer)
        self.scope.pointers.append(pointer)

    def use_pointer(self, pointer):
        self.safe()
        if pointer.writable:
            self.note_store()
            self.emit(f"*{pointer.name} {self.chance.choice(['', '', '+', '^'])}= {self.expressions.expression(1)};")
        else:
            self.emit(f"{self.expressions.variable()} ^= *{pointer.name};")

    def move_pointer(self):
        """Best in code of one version."""
        pointers = [pointer for pointer in self.scope.pointers if pointer.assignable and pointer.targets]
        if not pointers:
            self.chosen_pointer()
            return
        self.safe()
        pointer = self.chance.choice(pointers)
        self.emit(f"{pointer.name} = &{self.expressions.element(self.chance.choice(pointer.targets), 1)};")
        self.note_store()
        if self.regions():
            self.note("shadowed addresses")

    def shadowed_length(self):
        self.note("shadowed lengths")
        self.block_copy(lambda bytes_there: f"(unsigned){wrapped(self.changed())} % {bytes_there + 1}")

    # ---- blocks of memory ----

    def allocate(self, room):
        """A block with a scope of its own, freed at its end unless something leaves early."""
        self.safe()
        self.note("per-side allocation")
        self.emit("{")
        outer, self.expressions.scope = self.scope, Scope(self.scope)
        self.indent += 1
        kind = self.chance.choice([self.allocate_sizes, self.allocate_sizes, self.allocate_once, self.free_early])
        kind(room)
        self.indent -= 1
        self.expressions.scope = outer
        self.emit("}")

    def block_type(self):
        return TYPE["int"] if self.chance.random() < 0.4 else self.chance.choice(TYPES[1:])

    def allocate_sizes(self, room):
        """The versions want different sizes."""
        type, name, count = self.block_type(), self.name("m"), self.name("n")
        self.emit(f"unsigned {count} = ({wrapped(self.changed())} & 7) + 4;")
        if self.chance.random() < 0.5:
            self.emit(f"{type.name} *{name} = calloc({count}, sizeof *{name});")
        else:
            self.emit(f"{type.name} *{name} = malloc({count} * sizeof *{name});")
            self.emit(f"memset({name}, {self.expressions.scalar()}, {count} * sizeof *{name});")
        if self.chance.random() < 0.3:
            self.emit(f"{name} = realloc({name}, ({count} + (unsigned){wrapped(self.changed())} % 4) * sizeof *{name});")
        self.scope.arrays.append(Variable(name, type, 3, may_alias=True))
        self.scope.scalars.append(Variable(count, TYPE["unsigned"], writable=False))
        if self.chance.random() < 0.5:
            index = f"(unsigned){wrapped(self.expressions.expression(1))} % {count}"
            self.note("shadowed addresses")
            self.emit(f"{name}[{index}] {self.chance.choice(['', '+'])}= {self.expressions.expression(1)};")
        self.use_block(room)
        self.emit(f"free({name});")

    def allocate_once(self, room):
        """Only one version has the block; in the other one the pointer leads to an array."""
        arrays = [array for array in self.scope.arrays if array.writable and array.type.bits > 1]
        array = self.chance.choice(arrays)
        name, count = self.name("m"), array.mask + 1
        made = f"calloc({count}, sizeof({array.type.name}))"
        version = self.chance.choice(["OLD", "NEW"])
        if self.chance.random() < 0.5:
            values = [made, array.name] if version == "OLD" else [array.name, made]
            self.emit(f"{array.type.name} *{name} = change({values[0]}, {values[1]});")
        else:
            self.emit(f"{array.type.name} *{name} = {array.name};")
            self.emit(f"if (execute({version})) {{ BEGIN")
            self.emit(f"    {name} = {made};")
            self.emit(f"    memcpy({name}, {array.name}, {self.chance.randrange(1, array.bytes_there() + 1)});")
            self.emit("END }")
            self.note("one-sided stores")
        self.note("shadowed addresses")
        array.may_alias = True
        self.scope.arrays.append(Variable(name, array.type, array.mask, may_alias=True))
        self.use_block(room)
        self.emit(f"if (execute({version})) {{ BEGIN")
        self.emit(f"    free({name});")
        self.emit("END }")

    def free_early(self, room):
        """One version frees the block when the other still needs it."""
        type, name = self.block_type(), self.name("m")
        first, second = self.chance.sample(["OLD", "NEW"], 2)
        self.emit(f"{type.name} *{name} = calloc(8, sizeof *{name});")
        self.emit(f"{name}[{self.expressions.index(7)}] = {self.expressions.expression(1)};")
        block = Variable(name, type, 7, may_alias=True)
        for version in (first, second):
            self.emit(f"if (execute({version})) {{ BEGIN")
            outer, self.expressions.scope = self.scope, Scope(self.scope)
            self.scope.arrays.append(block)
            self.around.append("region")
            self.indent += 1
            self.safe()
            self.emit(f"{self.expressions.variable()} = {self.expressions.element(block, 1)};")
            self.use_block(0)
            self.emit(f"free({name});")
            self.indent -= 1
            self.around.pop()
            self.expressions.scope = outer
            self.emit("END }")
            if version == first:
                self.statement(min(room, 0))

    def use_block(self, room):
        block = self.scope.arrays[-1]
        self.safe()
        self.note_store()
        if self.chance.random() < 0.7:
            self.emit(f"{self.expressions.element(block, 1)} = {self.expressions.expression(1)};")
        self.statements(min(room, 1))
        self.safe()
        self.emit(f"{self.expressions.variable()} ^= {self.expressions.element(block, 1)};")

    # ---- functions ----

    def choose_function(self):
        names = self.chance.sample(["k0", "k1", "k2"], 2)
        self.note("function pointers")
        self.signature.features |= self.pointed_features
        self.safe()
        if self.scope.functions and self.chance.random() < 0.3:
            self.emit(f"{self.chance.choice(self.scope.functions)} = {names[0]};")
            return
        name, pick = self.name("op"), self.chance.random()
        if pick < 0.4:
            value = f"change({names[0]}, {names[1]})"
        elif pick < 0.7:
            # Of two constants the compiler would make a choice without a branch.
            other = f"functions[(unsigned){self.expressions.scalar()} % 3]"
            value = f"change(BR({self.expressions.compared()}) ? {names[0]} : {other}, {names[1]})"
        else:
            value = f"functions[(unsigned){wrapped(self.changed())} % 3]"
        self.emit(f"int (*{name})(int, int) = {value};")
        self.scope.functions.append(name)

    def call_function(self):
        if not self.scope.functions or not self.pointed:
            self.assign()
            return
        self.safe()
        arguments = f"{self.expressions.expression(1)}, {self.expressions.expression(1)}"
        self.emit(f"{self.expressions.variable()} = CALL({self.chance.choice(self.scope.functions)})({arguments});")

    def call_outside(self):
        self.safe()
        self.note("calls that leave the program")
        make = self.expressions
        texts = [f"ffs({make.expression(1)})"]
        if make.use_arrays:
            one, other = self.chance.choice(self.scope.arrays), self.chance.choice(self.scope.arrays)
            size = self.chance.randrange(1, min(one.bytes_there(), other.bytes_there()) + 1)
            texts.append(f"memcmp({one.name}, {other.name}, {size}) > 0")
        self.emit(f"{make.variable()} = OUTSIDE({self.chance.choice(texts)});")

    # ---- failures ----

    def guard(self):
        """Something that holds for some inputs."""
        if self.chance.random() < 0.3:
            return self.expressions.compared()
        return self.chance.choice([f"gz == {self.chance.randrange(-2, 4)}", f"(gz & 7) == {self.chance.randrange(8)}",
                                   f"gz > {self.chance.choice([5, 100])}", f"gz < {self.chance.choice([-1, -5])}"])

    def fail(self):
        self.safe()
        kinds = [self.fail_by_end, self.fail_by_assertion, self.fail_by_division]
        if self.expressions.use_arrays:
            kinds += [self.fail_by_null, self.fail_by_index]
        self.chance.choice(kinds)()

    def fail_by_end(self):
        self.emit(f"if (BR({self.guard()})) {{")
        self.emit("    FAIL;")
        self.emit("}")

    def fail_by_assertion(self):
        guard = self.guard()
        if self.chance.random() < 0.4:
            guard = self.chance.choice([f"change(!({guard}), 1)", f"change(1, !({guard}))"]) + " != 0"
        else:
            guard = f"!({guard}) > 0"
        self.emit(f"ASSERT({guard});")

    def fail_by_division(self):
        divisor = f"(gz == {self.chance.randrange(-2, 4)}) - 1" if self.chance.random() < 0.5 else self.changed()
        self.emit(f"{self.expressions.variable()} = DIV({self.expressions.expression(1)}, {divisor});")

    def fail_by_null(self):
        array, name = self.chance.choice(self.scope.arrays), self.name("u")
        const = "" if array.writable else "const "
        some = f"&{self.expressions.element(array, 1)}"
        pick = self.chance.random()
        value = f"BR({self.guard()}) ? 0 : {some}"
        if pick < 0.6 or not self.regions():
            value = f"change({value}, {some})" if self.chance.random() < 0.6 else f"change({some}, {value})"
            self.note("branching change() arguments")
        self.emit(f"{const}{array.type.name} *{name} = {value};")
        if array.writable and self.chance.random() < 0.5:
            self.note_store()
            self.emit(f"DEREF({name}) = {self.expressions.expression(1)};")
        else:
            self.emit(f"{self.expressions.variable()} = DEREF({name});")

    def fail_by_index(self):
        """An index just outside; it depends on the input or on the version, else nobody would look at it."""
        arrays = [array for array in self.scope.arrays if array.mask in (3, 7) and not array.may_alias]
        if not arrays:
            self.fail_by_division()
            return
        array = self.chance.choice(arrays)
        count = array.mask + 1
        inside = f"((gz + {self.chance.randrange(8)}) & {array.mask})"
        outside = f"(((gz + {self.chance.randrange(8)}) & {2 * array.mask + 1}) - {self.chance.choice([0, 2])})"
        index = outside
        if self.chance.random() < 0.6 or not self.regions():
            pair = self.chance.sample([inside, outside], 2)
            index = f"change({pair[0]}, {pair[1]})"
            self.note("shadowed addresses")
        element = f"AT({array.name}, {index}, {count})"
        if array.writable and self.chance.random() < 0.5:
            self.note_store()
            self.emit(f"{element} = {self.expressions.scalar()};")
        else:
            self.emit(f"{self.expressions.variable()} = {element};")

    def sized_array(self):
        """An array that is longer in one version."""
        self.safe()
        self.note("array sizes per version")
        type, name, sizes = self.chance.choice(TYPES), self.name("w"), self.chance.sample([2, 4, 8], 2)
        count = f"pn_size({sizes[0]}, {sizes[1]})"
        self.emit(f"{type.name} {name}[{count}] = {{{self.expressions.expression(1)}}};")
        self.emit(f"pn_bounds({name}, {sizes[0]}, {sizes[1]});")
        self.scope.arrays.append(Variable(name, type, min(sizes) - 1, may_alias=True))
        if self.chance.random() < 0.5:
            element = f"AT({name}, (gz + {self.chance.randrange(8)}) & {max(sizes) - 1}, {count})"
            self.emit(self.chance.choice([f"{element} = {self.expressions.scalar()};",
                                          f"{self.expressions.variable()} = {element};"]))

    # ---- all of it ----

    def kinds(self, room):
        simple, with_blocks = super().kinds(room)
        inside = self.regions() > 0
        if self.changes:
            simple[self.moved] = 0.7
            simple[self.fail] = 1.5 if inside else 0.4
            simple[self.call_outside] = 0.3
        if self.changes and self.expressions.use_arrays:
            simple[self.shadowed_element] = 1
            simple[self.chosen_pointer] = 1
            simple[self.move_pointer] = 1.5 if inside else 0.5
            simple[self.shadowed_length] = 0.6
            # Where an array comes to life again, its bounds are still those of its last life.
            simple[self.sized_array] = 0.5 if self.signature.name.startswith("f") and not self.loops else 0
        if self.changes and self.pointed and self.loops < 2:
            simple[self.choose_function] = 0.8
            simple[self.call_function] = 3 if self.scope.functions else 0
        if self.changes and room > 0:
            with_blocks[self.one_sided] = 4 if not inside else 5
            with_blocks[self.both_leave] = 0.4 if not self.regions() else 0.1
        if self.changes and room > 0 and self.loops < 2:
            with_blocks[self.effects] = 3
        if self.changes and room > 0 and self.expressions.use_arrays:
            with_blocks[self.allocate] = 1
        return simple, with_blocks

    pointed = False             # whether the functions k0 to k2 may be called
    pointed_features = set()    # theirs
