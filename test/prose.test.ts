// The words that `npm run lint` finds in prose, each planted in a place of its kind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsIn, proseFaults, proseOfDocument, proseOfSource } from './architecture/prose.ts'

const wordsIn = (lines: string[]): string[] => faultsIn('x', lines).map(({ place, word }) => `${place} ${word}`)

test('marked words are found in documents, outside of code', () => {
  const document = ['The worker retries.', '```', 'nobody', '```', 'Whoever asks is told.', 'The user `nobody`.']
  assert.deepEqual(wordsIn(proseOfDocument(document.join('\n'))), ['x:5 Whoever', 'x:5 is told'])
})

test('marked words are found in comments and test titles, and not in code', () => {
  const source = ['const nobody = 1 // asked anew', "test('nobody is refused', () => {})", '/** As “nobody” has it. */']
  assert.deepEqual(wordsIn(proseOfSource(source.join('\n'))), ['x:1 anew', 'x:2 nobody'])
})

test('documents, comments, test titles and English texts have no marked word: npm run lint', () => {
  assert.deepEqual(proseFaults(), [])
})
