// `npm run architecture`: the figures of the sources beside what was promised. With a name of a figure, its places.
import { parseArgs } from 'node:util'
import { figures, filesOf, flows } from './promises.ts'
import { openSources } from './sources.ts'

const help = `npm run architecture [-- FIGURE]

Prints how the sources stand to what the architecture promises. With the name of a figure or of a flow, its places.

Figures: ${Object.keys(figures).join(', ')}
Flows: ${Object.keys(flows).join(', ')}`

const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } })
const sources = openSources()
if (values.help) console.log(help)
else if (positionals.length > 0) printPlaces(positionals.join(' '))
else printAll()

function printPlaces(name: string): void {
  const places = flows[name] ? filesOf(sources, flows[name].entries) : figures[name]?.find(sources)
  if (!places) {
    console.error(`there is no figure "${name}"\n\n${help}`)
    process.exitCode = 1
  } else for (const place of places) console.log(place)
}

function printAll(): void {
  const rows = Object.entries(figures).map(([name, { what, most, find }]) => [name, find(sources).length, most, what])
  const ofFlows = Object.entries(flows).map(([name, { most, entries }]) => {
    const what = 'files of the flow, its effects, kit and contracts too'
    return [name, filesOf(sources, entries).length, most, what]
  })
  const lengths = sources.map(({ text }) => text.split('\n').length).sort((a, b) => a - b)
  console.log(`${sources.length} source files, median ${lengths[Math.floor(lengths.length / 2)]} lines\n`)
  console.log(`${'figure'.padEnd(18)}${'now'.padStart(5)}${'at most'.padStart(9)}`)
  for (const [name, now, most, what] of [...rows, ...ofFlows])
    console.log(`${String(name).padEnd(18)}${String(now).padStart(5)}${String(most).padStart(9)}  ${what}`)
}
