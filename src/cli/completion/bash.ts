// The completion script for bash 3.2 and later: commands, options and known values by position.

import { shellQuoted } from '#kit/http/samples.ts'
import { knownPaths } from './quoted.ts'
import type { CommandLinePosition } from './tree.ts'

export const bashScript = (
  places: CommandLinePosition[],
): string => `# Completion of lendloom for bash: made by lendloom completion bash.
_lendloom() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" place="" words="" i word
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    [[ "$word" == help && -z "$place" ]] && continue
    case "\${place:+$place }$word" in
      ${knownPaths(places).map(shellQuoted).join(' | ')}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place $previous" in
${places.flatMap(valuesAt).join('\n')}
  esac
  case "$place" in
${places.map(wordsAt).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _lendloom lendloom`

/** The values after an option: one of its words, a file, or free text. */
const valuesAt = ({ path, options }: CommandLinePosition): string[] =>
  options.flatMap(({ word, takes }) => {
    const at = shellQuoted(`${path} ${word}`)
    if (takes === 'nothing') return []
    if (takes === 'file') return [`    ${at}) COMPREPLY=($(compgen -f -- "$current")); return ;;`]
    if (takes === 'text') return [`    ${at}) return ;;`]
    return [`    ${at}) COMPREPLY=($(compgen -W ${shellQuoted(takes.join(' '))} -- "$current")); return ;;`]
  })

/** Offers options after a dash, or when no word can follow. */
function wordsAt({ path, words, options }: CommandLinePosition): string {
  const dashed = options.map(({ word }) => word).join(' ')
  const first = words.map(({ word }) => word).join(' ') || dashed
  return `    ${shellQuoted(path)}) words=${shellQuoted(first)}; [[ "$current" == -* ]] && words=${shellQuoted(dashed)} ;;`
}
