// Reads the type and size of a small picture, such as a logo, and rejects an SVG that runs or fetches something.
import { checkPixels, png } from './content-image.ts'
import { BadContent, contentCheckOf } from './resumable-parser.ts'

const pictureTypes = ['image/png', 'image/webp', 'image/svg+xml'] as const
export type PictureType = (typeof pictureTypes)[number]

export interface Picture {
  type: PictureType
  /** The size in pixels, or in the units of an SVG: only the proportion matters. */
  width: number
  height: number
}

/** Returns the type and size of a picture, from its bytes alone. Throws `BadContent`. */
export function pictureIn(bytes: Buffer): Picture {
  const picture = asPng(bytes) ?? asWebp(bytes) ?? asSvg(bytes)
  if (!picture) throw new BadContent('other', 'is neither PNG nor WebP nor SVG')
  if (!(picture.width >= 1 && picture.height >= 1)) throw new BadContent('corrupt', 'has no width or no height')
  return picture
}

function asPng(bytes: Buffer): Picture | null {
  if (bytes.toString('latin1', 1, 4) !== 'PNG') return null
  const check = contentCheckOf(png())
  check.write(bytes)
  check.end()
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Lossy, lossless and extended WebP files store their size in different formats. */
function asWebp(bytes: Buffer): Picture | null {
  const picture = webpIn(bytes)
  if (picture) checkPixels(picture.width, picture.height)
  return picture
}

function webpIn(bytes: Buffer): Picture | null {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return null
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length + 1)
    throw new BadContent('corrupt', 'ends before its picture')
  const kind = bytes.toString('latin1', 12, 16)
  const type = 'image/webp'
  if (kind === 'VP8X') return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8L') {
    const packed = bytes.readUInt32LE(21)
    return { type, width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
  }
  if (kind === 'VP8 ') return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  throw new BadContent('corrupt', 'has no picture in it')
}

/** Elements and attributes of SVG that run or fetch something. */
const activeContent = [
  /<(script|foreignobject|iframe|embed|object|handler|listener)\b|\son\w+\s*=|javascript:/i,
  /<!entity|<\?xml-stylesheet|@import/i,
  /(?:href|src)\s*=\s*["'](?!\s*(?:#|data:image\/))/i,
  /url\((?!\s*(?:["']\s*)?(?:#|data:image\/))/i,
]

function asSvg(bytes: Buffer): Picture | null {
  const text = bytes.toString('utf8')
  const root =
    /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*|<!doctype[^>]*>\s*)*(<svg\b[^>]*>)/i.exec(
      text,
    )?.[1]
  if (root === undefined) return null
  if (activeContent.some((each) => each.test(text)))
    throw new BadContent('unsafe', 'has scripts, links or entities, which a logo must not have')
  if (!/<\/svg>\s*$|^[^<]*<svg\b[^>]*\/>\s*$/.test(text)) throw new BadContent('corrupt', 'ends before </svg>')
  const type = 'image/svg+xml'
  const [, , across, down] = (/\bviewBox\s*=\s*["']([-\d.e\s,]*)/i.exec(root)?.[1] ?? '').trim().split(/[\s,]+/)
  if (across && down) return { type, width: Number(across), height: Number(down) }
  const side = (name: string) =>
    Number(new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\d.]+)(?:px)?\\s*["']`).exec(root)?.[1])
  const width = side('width')
  const height = side('height')
  if (Number.isNaN(width) || Number.isNaN(height)) throw new BadContent('corrupt', 'has neither a size nor a viewBox')
  return { type, width, height }
}
