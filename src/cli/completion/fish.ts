// The completion script for fish: commands and options by position, with descriptions.

import { knownPaths, quotedInFish } from './quoted.ts'
import type { CommandLinePosition } from './tree.ts'

export const fishScript = (
  places: CommandLinePosition[],
): string => `# Completion of lendloom for fish: made by lendloom completion fish.
set -g __lendloom_places ${knownPaths(places).map(quotedInFish).join(' ')}
function __lendloom_place
  set -l place
  set -l typed (commandline -opc)
  set -e typed[1]
  for word in $typed
    if test "$word" = help; and test (count $place) -eq 0
      continue
    end
    set -l next (string join ' ' -- $place $word)
    if contains -- "$next" $__lendloom_places
      set -a place $word
    end
  end
  echo "$place"
end
function __lendloom_at
  set -l place (__lendloom_place)
  test "$place" = "$argv"
end
complete -c lendloom -e
complete -c lendloom -f
${places.flatMap(linesOf).join('\n')}`

function linesOf({ path, words, options }: CommandLinePosition): string[] {
  const at = `complete -c lendloom -n ${quotedInFish(`__lendloom_at ${path}`.trim())}`
  return [
    ...words.map(({ word, about }) => `${at} -a ${quotedInFish(word)} -d ${quotedInFish(about)}`),
    ...options.map(({ word, about, takes }) => {
      const value =
        takes === 'nothing'
          ? ''
          : takes === 'file'
            ? ' -r -F'
            : takes === 'text'
              ? ' -x'
              : ` -x -a ${quotedInFish(takes.join(' '))}`
      return `${at} -l ${word.slice(2)}${value} -d ${quotedInFish(about)}`
    }),
  ]
}
