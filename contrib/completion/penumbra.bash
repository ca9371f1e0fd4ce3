# bash completion for penumbra: commands, and each command's options as its --help has them.
_penumbra() {
    local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} previous=${COMP_WORDS[COMP_CWORD - 1]} tool=${COMP_WORDS[0]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$tool" --help 2>/dev/null | sed -n 's/^  \([a-z]*\) .*/\1/p') --help --version" -- "$current")
        return
    fi
    case $current in
    -*)
        mapfile -t COMPREPLY < <(compgen -W "$("$tool" "$command" --help 2>/dev/null | grep -o -- '--[a-z][a-z0-9-]*' | sort -u)" -- "$current")
        ;;
    *)
        # one of the words that --help offers for the option, `--mode=concolic|bounded|complete`
        local words
        words=$("$tool" "$command" --help 2>/dev/null | sed -n "s/.*$previous=\([a-z-]*|[a-z|-]*\).*/\1/p" | head -n 1 | tr '|' ' ')
        if [ -n "$words" ] && [ "${previous#--}" != "$previous" ]; then
            mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
        fi
        ;;
    esac
}
complete -o filenames -F _penumbra penumbra
