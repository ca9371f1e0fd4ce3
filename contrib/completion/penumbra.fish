# fish completion for penumbra: commands, and each command's options as its --help has them.
complete -c penumbra -n __fish_use_subcommand -f -a "(penumbra --help 2>/dev/null | string match -rg '^  ([a-z]+) ')"
complete -c penumbra -n "not __fish_use_subcommand" -a "(set -l words (commandline -opc); penumbra \$words[2] --help 2>/dev/null | string match -arg '(--[a-z][a-z0-9-]*)' | sort -u)"
