// Compresses JSON answers, unless another site could guess secrets from the compressed length.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** Smaller answers are not compressed, because they fit into one packet. */
const minBytes = 1200

const compressors = {
  /** A higher quality would need several times the processor time and save only a tenth of the bytes. */
  br: (text: string) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text: string) => promisify(gzip)(text),
}
type ContentCoding = keyof typeof compressors
const codings: readonly ContentCoding[] = ['br', 'gzip']

/** Whether an `Accept-Encoding` header accepts a content coding. */
export const acceptsCoding = (accepted: string | undefined, coding: ContentCoding): boolean =>
  (accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.split(';').map((part) => part.trim()))
    .some(([name, ...parameters]) => name === coding && !parameters.some((each) => /^q=0(?:\.0*)?$/.test(each)))

/**
 * Compresses answers only of routes whose credential a browser never adds automatically (`Auth.noCookie`). Otherwise
 * another site could send requests with chosen text, and guess secrets from the length of the answers (BREACH).
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isJson = /^application\/json\b/.test(String(reply.getHeader('content-type')))
    if (!request.routeOptions.config.isCompressed || typeof payload !== 'string' || !isJson) return payload
    reply.header('vary', 'accept-encoding')
    const { 'accept-encoding': accepted } = request.headers
    const coding = codings.find((each) => acceptsCoding(String(accepted), each))
    if (!coding || Buffer.byteLength(payload) < minBytes) return payload
    reply.header('content-encoding', coding)
    return compressors[coding](payload)
  })
}
