// PDF documents in every language and script, with long words and tables.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PDFDocument } from '@cantoo/pdf-lib'
import { decomposed, missingGlyphs, textsOf } from '@lendloom/tests/setup/pdf-text'
import { type Block, pdfOf } from './pdf.ts'
import { fontsOf } from './pdf-font.ts'

const createdAt = new Date('2026-11-20T06:00:00Z')

test('writes title, author, language and as many pages as needed', async () => {
  const rows = Array.from({ length: 120 }, (_, i) => [String(i + 1), 'Instalment', '₹17,957.42'])
  const bytes = await pdfOf({
    title: 'Key facts',
    author: 'Meridian Finance',
    createdAt,
    blocks: [
      { kind: 'heading', text: 'Schedule' },
      { kind: 'text', text: 'Amounts are in rupees.' },
      { kind: 'table', head: ['No.', 'What', 'Amount'], rows, widths: [1, 4, 2], right: [0, 2] },
    ],
  })
  const read = await PDFDocument.load(bytes, { updateMetadata: false })
  assert.equal(read.getTitle(), 'Key facts')
  assert.equal(read.getAuthor(), 'Meridian Finance')
  assert.equal(read.getLanguage(), 'en-IN')
  assert.deepEqual(read.getCreationDate(), createdAt)
  const pages = await textsOf(bytes)
  assert.ok(pages.length >= 3)
  for (const [i, text] of pages.entries()) {
    assert.ok(text.includes('No.') && text.includes('What'), `page ${i + 1} begins with the head of the table`)
    assert.ok(text.endsWith(`${i + 1} / ${pages.length}`), text.slice(-20))
  }
  assert.equal(pages.join(' ').match(/₹17,957\.42/g)?.length, 120)
})

test('writes the same bytes for the same content', async () => {
  const document = { title: 'नमस्ते', author: 'A', language: 'hi', createdAt, blocks: [] }
  assert.deepEqual(await pdfOf(document), await pdfOf(document))
})

const names = {
  hi: 'श्री लक्ष्मी क्षत्रिय',
  ta: 'தமிழ்ச்செல்வி ஸ்ரீ',
  te: 'శ్రీనివాస్ లక్ష్మి',
  mr: 'ऱ्हास कुऱ्हाडे',
  bn: 'শ্রী লক্ষ্মী ক্ষেত্র',
  en: 'Asha Kulkarni',
}

test('writes names of any script in documents of any language without missing glyphs', async () => {
  for (const language of Object.keys(names)) {
    const rows = Object.values(names).map((name) => [name, '₹10,00,00,000.00'])
    const blocks: Block[] = [
      { kind: 'heading', text: 'PAN(श्री)' },
      { kind: 'table', head: [], rows, widths: [1, 1], right: [1] },
      { kind: 'text', text: `${Object.values(names).join(', ')}: “₹” – ‘−’ • …` },
    ]
    const bytes = await pdfOf({ title: 'Statement', author: 'A', language, createdAt, blocks })
    const text = decomposed((await textsOf(bytes)).join(''))
    assert.equal(text.match(/₹10,00,00,000\.00/g)?.length, 6, `${language}: ${text}`)
    for (const each of decomposed(Object.values(names).join('')))
      assert.ok(text.includes(each), `${each} in ${language}`)
    assert.equal(await missingGlyphs(bytes), 0, language)
  }
})

test('writes long words, long rows and letters without a font completely', async () => {
  const long = ['x'.repeat(400), 'नाम'.repeat(134), 'தமிழ்'.repeat(80)]
  const rows = [
    ['中文 Rao 🙂', ...long],
    ['', 'y '.repeat(4000), '', ''],
  ]
  const bytes = await pdfOf({
    title: 'T',
    author: 'A',
    createdAt,
    blocks: [{ kind: 'table', head: [], rows, widths: [1, 1, 1, 1] }],
  })
  const text = (await textsOf(bytes)).join('')
  assert.match(text, /ZhongWen Rao/)
  assert.equal(text.match(/x/g)?.length, 400)
  assert.equal(text.match(/न/g)?.length, 134)
  assert.equal(text.match(/ழ/g)?.length, 80)
  assert.equal(text.match(/y/g)?.length, 4000)
  assert.equal(await missingGlyphs(bytes), 0)
})

test('writes a name without the controls that would turn it around', async () => {
  const rows = [['Asha \u202eamreV\u202c', '\u2068Bank\u2069']]
  const bytes = await pdfOf({
    title: 'T',
    author: 'A',
    createdAt,
    blocks: [{ kind: 'table', head: [], rows, widths: [1, 1] }],
  })
  const text = (await textsOf(bytes)).join('')
  assert.match(text, /Asha amreV/)
  assert.doesNotMatch(text, /[?\p{Bidi_Control}]/u)
})

test('draws syllables as HarfBuzz does', async () => {
  const [font] = await fontsOf('bn', 'plain')
  const layout = font?.layout('পরিবর্তনশীল')
  assert.deepEqual(
    layout?.glyphs.map(({ id }) => id),
    [45, 60, 51, 47, 40, 132, 44, 53, 61, 52],
  )
  const [telugu] = await fontsOf('te', 'bold')
  assert.ok((telugu?.layout('శ్రీనివాస్').advanceWidth ?? 0) > 0)
})
