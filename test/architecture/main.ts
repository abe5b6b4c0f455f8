// `npm run architecture`: the figures of the sources beside what was promised. With a name of a figure, its places.
import { parseArgs } from 'node:util'
import { unresolvedCitations } from './citations.ts'
import {
  casts,
  channelConditionals,
  circles,
  filesOfFlow,
  longFunctions,
  manyArguments,
  nonNullAssertions,
  productConditionals,
  sentences,
} from './figures.ts'
import { openSources, type Source } from './sources.ts'

interface Figure {
  what: string
  goal: number
  find(sources: Source[]): string[]
}

const figures: Record<string, Figure> = {
  products: { what: 'conditionals on a product outside its descriptor', goal: 0, find: productConditionals },
  channels: { what: 'conditionals on the channel of a lender', goal: 0, find: channelConditionals },
  circles: {
    what: 'circles of imports, by value or type',
    goal: 0,
    find: (sources) => circles(sources).map((files) => files.join(' ')),
  },
  citations: { what: 'citations that do not resolve', goal: 0, find: unresolvedCitations },
  sentences: { what: 'sentences for people in the domain', goal: 0, find: sentences },
  casts: { what: 'casts', goal: 42, find: casts },
  'non-null': { what: 'values that are said not to be null (!)', goal: 61, find: nonNullAssertions },
  arguments: { what: 'functions of more than four positional arguments', goal: 0, find: manyArguments },
  lines: { what: 'functions of more than 50 lines', goal: 0, find: longFunctions },
}

/** Entry points of each flow: file and name. */
const flows: Record<string, { goal: number; entries: [path: string, name: string][] }> = {
  'hosted session': { goal: 20, entries: [['src/platform/hosted/create-session.ts', 'createSession']] },
  'lender callback': { goal: 24, entries: [['src/platform/subscriber/on-callback.ts', 'onCallbacks']] },
  'partner event': { goal: 20, entries: [['src/platform/receiver/webhook.ts', 'webhook']] },
  'lifecycle update': {
    goal: 14,
    entries: [
      ['src/platform/journey/advance.ts', 'advance'],
      ['src/platform/webhook/deliver.ts', 'deliver'],
    ],
  },
}

const help = `npm run architecture [-- FIGURE]

Prints how the sources stand to what the architecture promises. With the name of a figure or of a flow, its places.

Figures: ${Object.keys(figures).join(', ')}
Flows: ${Object.keys(flows).join(', ')}`

const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } })
const sources = openSources()
const filesOf = (entries: [path: string, name: string][]): string[] => [
  ...new Set(entries.flatMap(([path, name]) => filesOfFlow(sources, path, name))),
]

if (values.help) console.log(help)
else if (positionals.length > 0) printPlaces(positionals.join(' '))
else printAll()

function printPlaces(name: string): void {
  const places = flows[name] ? filesOf(flows[name].entries) : figures[name]?.find(sources)
  if (!places) {
    console.error(`there is no figure "${name}"\n\n${help}`)
    process.exitCode = 1
  } else for (const place of places) console.log(place)
}

function printAll(): void {
  const rows = Object.entries(figures).map(([name, { what, goal, find }]) => [name, find(sources).length, goal, what])
  const ofFlows = Object.entries(flows).map(([name, { goal, entries }]) => {
    const what = 'files of the flow, without kit and contracts'
    return [name, filesOf(entries).length, goal, what]
  })
  const lengths = sources.map(({ text }) => text.split('\n').length).sort((a, b) => a - b)
  console.log(`${sources.length} source files, median ${lengths[Math.floor(lengths.length / 2)]} lines\n`)
  console.log(`${'figure'.padEnd(18)}${'now'.padStart(5)}${'goal'.padStart(6)}`)
  for (const [name, now, goal, what] of [...rows, ...ofFlows])
    console.log(`${String(name).padEnd(18)}${String(now).padStart(5)}${String(goal).padStart(6)}  ${what}`)
}
