// The form of an upload, as bytes (D3 §4.3).
interface File {
  bytes: Buffer
  contentType?: string
  name?: string
}

/** `null` for the file leaves it out. */
export async function formOf(fields: Record<string, string>, file: File | null) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  if (file) {
    const { bytes, contentType = 'application/pdf', name = 'conform.pdf' } = file
    form.set('file', new Blob([new Uint8Array(bytes)], { type: contentType }), name)
  }
  const whole = new Response(form)
  return {
    headers: { 'content-type': String(whole.headers.get('content-type')), 'idempotency-key': fields.request_id },
    body: Buffer.from(await whole.arrayBuffer()),
  }
}
