// The form of an upload, as bytes (D3 §4.3).
interface File {
  bytes: Buffer
  contentType?: string
  name?: string
}

/** Encodes the form; `null` omits the file. */
export async function formOf(fields: Record<string, string>, file: File | null) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  if (file) {
    const { bytes, contentType = 'application/pdf', name = 'conform.pdf' } = file
    form.set('file', new Blob([new Uint8Array(bytes)], { type: contentType }), name)
  }
  const response = new Response(form)
  return {
    headers: { 'content-type': String(response.headers.get('content-type')), 'idempotency-key': fields.request_id },
    body: Buffer.from(await response.arrayBuffer()),
  }
}
