// Parses a submitted form. Runs in the thread of a parser.
import { Refusal } from '#kit/http/refusal.ts'

/** The parts of a form by name: a text, or a file with its media type. Only the first part of a name counts. */
export type FormParts = Map<string, string | { type: string; bytes: Uint8Array }>

/** Throws `malformed` for a body that is not a form. */
export async function parseFormParts(raw: Buffer, contentType: string): Promise<FormParts> {
  const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => {
      throw new Refusal('malformed', 'this is not a form')
    })
  const parts: FormParts = new Map()
  for (const [name, value] of form)
    if (!parts.has(name))
      parts.set(name, typeof value === 'string' ? value : { type: value.type, bytes: await value.bytes() })
  return parts
}
