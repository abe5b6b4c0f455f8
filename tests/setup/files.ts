// Small real files of every type that the exchange accepts, for upload tests.
import { crc32, deflateSync } from 'node:zlib'
import { pdfOf } from '@lendloom/documents/pdf'
import encrypted from '@lendloom/files/src/fixtures/owner-password.json' with { type: 'json' }

/** A PDF with one page; different texts give different bytes. */
export const samplePdf = (text: string): Promise<Buffer> =>
  pdfOf({ title: text, author: 'Lendloom', blocks: [{ kind: 'text', text }], createdAt: new Date(0) })

/** Builds a PDF from its objects and the entries of its trailer. */
export function plainPdf(objects: string[], trailer = '/Root 1 0 R'): Buffer {
  const written = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`)
  const body = `%PDF-1.7\n${written.join('')}`
  const table = `xref\n0 1\n0000000000 65535 f \ntrailer\n<<${trailer}>>\n`
  return Buffer.from(`${body}${table}startxref\n${body.length}\n%%EOF\n`, 'latin1')
}

/** A PDF of 60 kB with a stream that unpacks to 60 MiB. */
export function bombPdf(): Buffer {
  const packed = deflateSync(Buffer.alloc(60 << 20)).toString('latin1')
  return plainPdf(['<</Type/Catalog>>', `<</Filter/FlateDecode>>stream\n${packed}\nendstream`])
}

/** PDFs that open without a password, and PDFs that need one, as qpdf encrypts them. */
export const ownerPasswordPdf = (): Buffer => Buffer.from(encrypted.opens['AES-128'], 'base64')
export const passwordPdf = (): Buffer => Buffer.from(encrypted.needsPassword['AES-256'], 'base64')

export function pngChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, sum])
}

export const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')

export function pngHeader(width: number, height: number): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set([8, 2, 0, 0, 0], 8)
  return pngChunk('IHDR', data)
}

/** A black square. */
export function samplePng(side = 8): Buffer {
  const rows = Buffer.alloc(side * (1 + side * 3))
  return Buffer.concat([
    pngSignature,
    pngHeader(side, side),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A grey square as JPEG: 8 by 8, one component, tables of one code each. */
export function sampleJpeg(): Buffer {
  const segment = (code: number, data: number[]): number[] => [0xff, code, 0, data.length + 2, ...data]
  return Buffer.from([
    0xff,
    0xd8,
    ...segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...segment(0xdb, [0, ...Array(64).fill(1)]),
    ...segment(0xc0, [8, 0, 8, 0, 8, 1, 1, 0x11, 0]),
    ...segment(0xc4, [0x00, 1, ...Array(15).fill(0), 0]),
    ...segment(0xc4, [0x10, 1, ...Array(15).fill(0), 0]),
    ...segment(0xda, [1, 1, 0, 0, 63, 0]),
    0x3f,
    0xff,
    0x00,
    0x3f,
    0xff,
    0xd9,
  ])
}

export function mp4Box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

/** A video with all required boxes and `mediaBytes` of unplayable media. */
export const sampleMp4 = (mediaBytes = 1000): Buffer =>
  Buffer.concat([
    mp4Box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2avc1mp41', 'latin1')),
    mp4Box('moov', mp4Box('mvhd', Buffer.alloc(100)), mp4Box('trak', mp4Box('tkhd', Buffer.alloc(84)))),
    mp4Box('mdat', Buffer.alloc(mediaBytes, 7)),
  ])

/** The harmless EICAR test file, split in two here so that no scanner flags this source. */
export const eicar = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''))
