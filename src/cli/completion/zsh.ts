// The completion script for zsh: commands and options with descriptions.

import { shellQuoted } from '#kit/http/samples.ts'
import { knownPaths } from './quoted.ts'
import type { CommandLinePosition, Word } from './tree.ts'

export const zshScript = (places: CommandLinePosition[]): string => `#compdef lendloom
# Completion of lendloom for zsh: made by lendloom completion zsh.
_lendloom() {
  local place="" word previous="\${words[CURRENT-1]}"
  local -a found dashed
  integer i
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    [[ "$word" == help && -z "$place" ]] && continue
    case "\${place:+$place }$word" in
      (${knownPaths(places).map(shellQuoted).join('|')}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place $previous" in
${places.flatMap(valuesAt).join('\n')}
  esac
  case "$place" in
${places.map(wordsAt).join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* ]] || (( \${#found} == 0 )); then
    _describe -o 'option' dashed
  else
    _describe 'command' found
  fi
}
if [[ "\${funcstack[1]}" == _lendloom ]]; then
  _lendloom "$@"
else
  compdef _lendloom lendloom
fi`

const valuesAt = ({ path, options }: CommandLinePosition): string[] =>
  options.flatMap(({ word, about, takes }) => {
    const at = `    (${shellQuoted(`${path} ${word}`)})`
    if (takes === 'nothing') return []
    if (takes === 'file') return [`${at} _files; return ;;`]
    if (takes === 'text') return [`${at} _message ${shellQuoted(about)}; return ;;`]
    return [`${at} compadd -- ${takes.map(shellQuoted).join(' ')}; return ;;`]
  })

const wordsAt = ({ path, words, options }: CommandLinePosition): string =>
  `    (${shellQuoted(path)}) found=(${described(words)}); dashed=(${described(options)}) ;;`

/** A colon ends the word, so one in it is escaped; descriptions may have any. */
const described = (words: Word[]): string =>
  words.map(({ word, about }) => shellQuoted(`${word.replaceAll(':', '\\:')}:${about}`)).join(' ')
