// Encodes the body of a submitted HTML form as a browser does.

import { uuidv4 } from '@lendloom/seal/id'
import type { HtmlForm } from '@lendloom/wire/network/html-form'

/** Encodes the form like a browser: as multipart data if the page requires it, otherwise URL-encoded. */
export function encodeForm(
  { enctype, fields }: HtmlForm,
  entries: [string, string][],
): { contentType: string; body: Buffer } {
  // A browser sends every line end as CR LF.
  const lines = entries.map(([name, value]): [string, string] => [name, value.replaceAll(/\r\n?|\n/g, '\r\n')])
  if (enctype !== 'multipart/form-data')
    return { contentType: 'application/x-www-form-urlencoded', body: Buffer.from(`${new URLSearchParams(lines)}`) }
  const files = new Set(fields.filter(({ type }) => type === 'file').map(({ name }) => name))
  const boundary = `form-${uuidv4()}`
  const parts = lines.map(([name, value]) => {
    const isFile = value === '' && files.has(name)
    const file = isFile ? '; filename=""\r\nContent-Type: application/octet-stream' : ''
    return `--${boundary}\r\nContent-Disposition: form-data; name="${nameInHeader(name)}"${file}\r\n\r\n${value}\r\n`
  })
  const body = Buffer.from(`${parts.join('')}--${boundary}--\r\n`)
  return { contentType: `multipart/form-data; boundary=${boundary}`, body }
}

/** A name in a header of multipart data. `FormData` of Node.js writes such names too, but no empty name of a file. */
const nameInHeader = (name: string): string => name.replaceAll(/\r\n?|\n/g, '%0D%0A').replaceAll('"', '%22')
