// Citations in code, tests and docs can be followed within the repository: sections and their rules, decisions, links, files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { citationsIn, isResolved, sectionsOf, unresolvedCitations } from './architecture/citations.ts'
import { brokenLinks, missingFiles } from './architecture/links.ts'
import { commandsIn, faultOf, unknownCommands } from './architecture/shown-commands.ts'

test('every citation refers to an existing section, rule or row', () => {
  assert.deepEqual(unresolvedCitations(), [])
})

test('every relative link in a document refers to an existing file and, if given, heading', () => {
  assert.deepEqual(brokenLinks(), [])
})

test('files named by a requirement, a guide or the architecture exist', () => {
  assert.deepEqual(missingFiles(), [])
})

test('every command that a document shows exists, with its options', async () => {
  assert.deepEqual(await unknownCommands(), [])
})

test('a command that does not exist is found in a document, with or without its program', async () => {
  const document =
    'Run `npx lendloom key lst` or `journey show <id> --newest`.\n```sh\nlendloom doctor  # all\n```\n`a b`'
  const shown = commandsIn('x', document)
  assert.deepEqual(
    shown.map(({ place, text }) => `${place} ${text}`),
    ['x:1 key lst', 'x:1 journey show <id> --newest', 'x:3 doctor'],
  )
  assert.deepEqual(await Promise.all(shown.map(({ text }) => faultOf(text))), [
    'no command key lst',
    'no option --newest of journey show',
    null,
  ])
})

const written = (text: string, own?: string) =>
  citationsIn(text, own).map(
    ({ document, section, item, line }) => `${line} ${document} ${section}${item ? ` ${item.kind} ${item.name}` : ''}`,
  )

test('lists and ranges are expanded to single citations', () => {
  assert.deepEqual(written('(FIS12 §18.1, §18.5)'), ['1 FIS12 18.1', '1 FIS12 18.5'])
  assert.deepEqual(
    written('FIS12 §8–§11, §17: x'),
    ['8', '9', '10', '11', '17'].map((each) => `1 FIS12 ${each}`),
  )
  assert.deepEqual(
    written('D1 §2.1–2.3, §6.3–4'),
    ['2.1', '2.2', '2.3', '6.3', '6.4'].map((each) => `1 D1 ${each}`),
  )
  assert.deepEqual(
    written('D1 §2.4 to §2.6 and §6'),
    ['2.4', '2.5', '2.6', '6'].map((each) => `1 D1 ${each}`),
  )
  assert.deepEqual(written('D1 §2.2, D2 §7; and RFC 9110 §10.2.3'), ['1 D1 2.2', '1 D2 7'])
  assert.deepEqual(written('text.includes(/FIS12 §12\\.4\\.4\\)/)'), ['1 FIS12 12.4.4'])
  assert.deepEqual(written(' * bound to (D1\n * §2.4, its rules in §2.5)'), ['2 D1 2.4', '2 D1 2.5'])
})

test('rules, rows and forms are cited with their section', () => {
  assert.deepEqual(written('D3 §6 event rules 1 and 2, §7'), ['1 D3 6 rule 1', '1 D3 6 rule 2', '1 D3 7'])
  assert.deepEqual(written('D3 §1.1 rule 4, §6 rule 3: x'), ['1 D3 1.1 rule 4', '1 D3 6 rule 3'])
  assert.deepEqual(
    written('FIS12 §8.1 rows 2–4'),
    ['2', '3', '4'].map((each) => `1 FIS12 8.1 row ${each}`),
  )
  assert.deepEqual(written('FIS12 §8.1, F2 and F3'), ['1 FIS12 8.1 name F2'])
})

test('a section without a document refers to its own file', () => {
  assert.deepEqual(written('as §2 says, and D3 §6 rule 3 (§4)', 'D1'), ['1 D1 2', '1 D3 6 rule 3', '1 D1 4'])
  assert.deepEqual(written('§7 of nothing'), [])
})

test('a citation of a rule that is not in its section is reported', () => {
  const sections = sectionsOf(
    '## §1 One\n\n1. First\n\n### §1.2 Two\n\n| Row |\n|---|\n| 5, 8–9 | form F2 |\n\n## Else\n\n7. Not cited',
  )
  const leads = (text: string) => citationsIn(text).map((each) => isResolved(sections, each))
  assert.deepEqual(leads('D1 §1, §1.1, §1 rule 1, §1.2 row 8, §1.2 F2'), [true, true, true, true, true])
  assert.deepEqual(leads('D1 §2, §1.7, §1 rule 2, §1.2 rule 5, §1.2 row 7, §1.2 F3'), Array(6).fill(false))
  assert.throws(() => sectionsOf('## §1 One\n## §1 Again'), /§1 is there twice/)
})
