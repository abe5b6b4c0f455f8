// A folder is replaced while others read its files.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { replaceFiles } from './replace-folder.ts'

const parent = mkdtempSync(join(tmpdir(), 'lendloom-replace-'))
after(() => rmSync(parent, { recursive: true, force: true }))

test('a folder has the new files and no other; nothing is left beside it', () => {
  const folder = join(parent, 'first')
  replaceFiles(folder, new Map([['assets/old.js', 'old']]).set('page.html', 'old'))
  replaceFiles(folder, new Map([['assets/new.js', 'new']]).set('page.html', 'new'))
  assert.deepEqual(readdirSync(join(folder, 'assets')), ['new.js'])
  assert.equal(readFileSync(join(folder, 'page.html'), 'utf8'), 'new')
  assert.deepEqual(readdirSync(parent), ['first'])
  assert.deepEqual(readdirSync(folder), ['assets', 'page.html'])
})

test('a reader finds every file whole while the same names are written again', async (context) => {
  const folder = join(parent, 'second')
  const files = new Map(Array.from({ length: 40 }, (_, i) => [`assets/${i}.js`, `${i}`.repeat(5_000)]))
  replaceFiles(folder, files)
  const writer = new Worker(
    `import { workerData } from 'node:worker_threads'
     const { replaceFiles } = await import(workerData.module)
     for (;;) replaceFiles(workerData.folder, workerData.files)`,
    { eval: true, workerData: { module: new URL('./replace-folder.ts', import.meta.url).href, folder, files } },
  )
  context.after(() => writer.terminate())
  const versions = new Set<number>()
  while (versions.size < 5) {
    for (const name of readdirSync(join(folder, 'assets')))
      assert.equal(readFileSync(join(folder, 'assets', name), 'utf8'), files.get(`assets/${name}`))
    versions.add(statSync(join(folder, 'assets', '0.js')).mtimeMs)
  }
})
