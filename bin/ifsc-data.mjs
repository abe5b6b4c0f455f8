// Writes packages/lending/src/ifsc-data.json from the npm package `ifsc`, which Razorpay makes from the Reserve Bank's lists:
// node bin/ifsc-data.mjs 2.0.50
// Only its data are taken: its program would ask a server of its maker, and needs a package that nobody keeps.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [version] = process.argv.slice(2)
if (!version) throw new Error('which version of the package `ifsc`?')
const folder = mkdtempSync(join(tmpdir(), 'ifsc-'))
const run = (...command) => execFileSync(command[0], command.slice(1), { cwd: folder, encoding: 'utf8' })
const [{ filename }] = JSON.parse(run('npm', 'pack', '--json', `ifsc@${version}`))
run('tar', '-xzf', filename)
const text = (name) => readFileSync(join(folder, 'package', name), 'utf8')
const data = (name) => JSON.parse(text(`src/${name}.json`))

/** The branches of a bank: numbers and ranges of numbers, and `=` before a code with letters. */
function packed(branches) {
  const ranges = []
  for (const number of branches.filter((branch) => typeof branch === 'number').sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last?.[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  const numbers = ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
  return [...numbers, ...branches.filter((branch) => typeof branch === 'string').map((code) => `=${code}`)].join(' ')
}

const ifsc = {
  source: `npm package ifsc ${version}, https://github.com/razorpay/ifsc`,
  licence: text('LICENSE'),
  names: data('banknames'),
  lent: { ...data('custom-sublets'), ...data('sublet') },
  branches: Object.fromEntries(Object.entries(data('IFSC')).map(([bank, branches]) => [bank, packed(branches)])),
}
writeFileSync('packages/lending/src/ifsc-data.json', `${JSON.stringify(ifsc, null, 2)}\n`)
rmSync(folder, { recursive: true })
