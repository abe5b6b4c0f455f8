// The memory limit for uploaded PDFs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { countPages, isPdf } from './pdf-pages.ts'

/** A PDF of one page with an object stream of `bytes` blanks. */
function pdfWithBlanks(bytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(bytes, ' '), { level: 1 })
  return Buffer.concat([
    Buffer.from(`%PDF-1.7
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>> endobj
4 0 obj <</Type/ObjStm/N 0/First 4/Filter/FlateDecode/Length ${packed.length}>> stream
`),
    packed,
    Buffer.from('\nendstream endobj\ntrailer <</Root 1 0 R/Size 5>>\nstartxref\n0\n%%EOF\n'),
  ])
}

test('rejects a PDF whose objects inflate beyond the limit', async () => {
  const bomb = pdfWithBlanks(100 << 20)
  assert.ok(bomb.length < 1 << 20)
  // On a busy machine the parser's time can end before its memory does.
  await assert.rejects(countPages(bomb), /takes too (much memory|long)/)
  await assert.rejects(isPdf(bomb), /takes too (much memory|long)/)
  assert.equal(await countPages(pdfWithBlanks(1000)), 1)
})
