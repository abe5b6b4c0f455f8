// Checks our public addresses as the network calls them, their certificates, and the gateway.
import { randomBytes } from 'node:crypto'
import { jsonIn } from '@lendloom/foundation/json'
import { fieldsOf } from '@lendloom/foundation/record'
import { fits } from '@lendloom/foundation/schema'
import { messageOf } from '@lendloom/foundation/thrown'
import { call, callForStatus } from '@lendloom/http/client'
import { readServerCertificate } from '@lendloom/http/server-certificate'
import {
  identityOf,
  type NetworkContext,
  registryEncryptionKey,
  verificationPage,
} from '@lendloom/platform/operations/network'
import { encryptChallenge } from '@lendloom/wire/network/challenge'
import { Acknowledgement } from '@lendloom/wire/network/context'
import { daysUntil, type Finding, failed, type HealthCheck, isExpiring, ok, warning } from '#cli/check.ts'

export function addressChecks(ctx: NetworkContext): HealthCheck[] {
  const { uri } = identityOf(ctx.config)
  const page = pageUrlOf(ctx)
  const origins = new Set([new URL(uri).origin, new URL(page).origin])
  return [
    ['callback address', () => reached(uri, () => callbackFinding(uri))],
    ['verification page', () => reached(page, () => pageFinding(ctx, page))],
    ['on_subscribe', () => reached(`${uri}/on_subscribe`, () => challengeFinding(ctx, `${uri}/on_subscribe`))],
    ...[...origins].map(
      (origin): HealthCheck => ['certificate', () => reached(origin, () => certificateFinding(ctx, origin))],
    ),
    ['gateway', () => gatewayFinding(ctx.config.NETWORK_GATEWAY_URL)],
  ]
}

/** The registry fetches the page from the domain; ids of the sandbox have no host. */
const pageUrlOf = ({ config }: NetworkContext): string => {
  const { id, uri } = identityOf(config)
  return `${config.SANDBOX ? new URL(uri).origin : `https://${id}`}/ondc-site-verification.html`
}

const atServer = 'check that the platform runs, and the route of its proxy to this path'

async function reached(url: string, find: () => Promise<Finding>): Promise<Finding> {
  try {
    return await find()
  } catch (error) {
    return failed(`${url} does not answer from here: ${messageOf(error)}`, atServer)
  }
}

const postJson = (url: string, body: unknown) =>
  call({ method: 'POST', url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** An unsigned message must be refused by the platform itself, so this changes nothing. */
async function callbackFinding(uri: string): Promise<Finding> {
  const { status, body } = await postJson(`${uri}/on_search`, {})
  const reply = jsonIn(body)
  return status === 401 && fits(Acknowledgement, reply) && reply.message.ack.status === 'NACK'
    ? ok(`${uri}/on_search refuses an unsigned message with a NACK`)
    : failed(`${uri}/on_search answers an unsigned message with ${status}, not with our NACK and 401`, atServer)
}

async function pageFinding(ctx: NetworkContext, url: string): Promise<Finding> {
  const { status, body } = await call({ method: 'GET', url })
  if (status !== 200) return failed(`${url} answers ${status}`, atServer)
  return body.toString('utf8') === verificationPage(ctx)
    ? ok(`${url} has our signature`)
    : failed(
        `${url} has another signature than that of our keys`,
        'give all programs and this command the same NETWORK_ settings',
      )
}

/** Our private key and the registry's public key give the same secret as the registry's challenge has. */
async function challengeFinding(ctx: NetworkContext, url: string): Promise<Finding> {
  const text = randomBytes(24).toString('base64url')
  const challenge = encryptChallenge(text, ctx.config.NETWORK_ENCRYPTION_KEY, await registryEncryptionKey(ctx))
  const { status, body } = await postJson(url, { subscriber_id: identityOf(ctx.config).id, challenge })
  return fieldsOf(jsonIn(body)).answer === text
    ? ok(`${url} decrypts a challenge`)
    : failed(
        `${url} answers ${status}, without the text of the challenge`,
        'give all programs and this command the same NETWORK_ENCRYPTION_KEY and NETWORK_REGISTRY_ENCRYPTION_KEY',
      )
}

async function certificateFinding({ config, clock }: NetworkContext, origin: string): Promise<Finding> {
  if (!origin.startsWith('https:'))
    return config.SANDBOX
      ? ok(`${origin} is not https, as only a sandbox may be`)
      : failed(`${origin} is not https`, 'put TLS in front, and set PUBLIC_URL and NETWORK_SUBSCRIBER_URL')
  const { issuer, validUntil, fault, isStapled, responder } = await readServerCertificate(origin)
  const found = `that of ${origin} by ${issuer} is valid until ${validUntil.toISOString()} (${daysUntil(validUntil, clock())} days)`
  if (fault) return failed(`${found}; clients refuse it: ${fault}`, 'install a valid certificate with its whole chain')
  const ocsp = isStapled ? 'the server staples an OCSP response' : responder && `its OCSP responder is ${responder}`
  if (!ocsp)
    return warning(
      `${found}; it names no OCSP responder, and the server staples no response`,
      'the registry checks OCSP at a subscription ("OCSP failed"): use an authority that offers it',
    )
  return isExpiring(validUntil, clock()) ? warning(`${found}; ${ocsp}`, 'renew it') : ok(`${found}; ${ocsp}`)
}

async function gatewayFinding(url: string): Promise<Finding> {
  try {
    const { status } = await callForStatus({ method: 'GET', url })
    return status < 500 ? ok(`${url} answers`) : failed(`${url} answers ${status}`, 'try again later')
  } catch (error) {
    return failed(`${url} does not answer: ${messageOf(error)}`, 'check NETWORK_GATEWAY_URL and the firewall')
  }
}
