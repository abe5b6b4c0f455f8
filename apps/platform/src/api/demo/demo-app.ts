// The server of a demo app that offers credit. Like any integrator's server, it calls the platform over HTTP.

import { Refusal } from '@lendloom/foundation/refusal'
import { call } from '@lendloom/http/client'
import type { Arrival } from '@lendloom/http/server'
import { contractOf } from '@lendloom/lending/product/products'
import { digitsWithoutStatement } from '@lendloom/wire/sandbox/journeys'
import { verify } from '@lendloom/wire/webhook/signature'
import type { Context } from '#platform/context.ts'
import { demoTenant } from '#platform/integrators/access/sandbox-tenants.ts'
import { sandboxFunds } from '#platform/lending/portfolio/sandbox-funds.ts'
import type { DemoSessionReply, DemoUser } from './demo-page.ts'

interface App {
  apiKey: string
  webhookSecret: string
}

let registration: Promise<App> | undefined

/** Registers the app's webhook once per process. After a failure the next call retries. */
function registeredApp(ctx: Context): Promise<App> {
  registration ??= registerApp(ctx).catch((error) => {
    registration = undefined
    throw error
  })
  return registration
}

async function registerApp(ctx: Context): Promise<App> {
  const { apiKey } = await ctx.db.tx((tx) => demoTenant({ ...ctx, tx, at: ctx.clock() }))
  const url = `${ctx.config.PUBLIC_URL}/demo/webhook`
  const endpoints = '/api/lab/webhook-endpoints'
  const { data } = await requestData(ctx, apiKey, { method: 'GET', path: endpoints })
  const existingEndpoint = data.items.find(
    (each: { url: string; disabledAt: string | null }) => each.url === url && each.disabledAt === null,
  )
  // The API shows a secret only once, and the demo stores none. After a restart it needs a new secret.
  const answer = existingEndpoint
    ? await requestData(ctx, apiKey, { method: 'POST', path: `${endpoints}/${existingEndpoint.id}/rotate-secret` })
    : await requestData(ctx, apiKey, { method: 'POST', path: endpoints, body: { url } })
  return { apiKey, webhookSecret: answer.secret }
}

/** Opens a session for a user. Returns the URL to embed, and the API call for display. */
export async function openSession(ctx: Context, user: DemoUser, at: Date): Promise<DemoSessionReply> {
  const { apiKey } = await registeredApp(ctx)
  const request = sessionRequest(user)
  const { status, data } = await callPlatform(ctx, apiKey, request)
  const embedUrl: string = data.embedUrl ?? data.data.embed_url
  const call = { method: request.method, path: request.path, status, curl: curlOf(ctx, request), reply: data }
  return { embedUrl, calledAt: at.toISOString(), call }
}

function sessionRequest({ product, borrowerProviderID, mobile, pan, panName }: DemoUser): DemoRequest {
  const profile = {
    contactNumber: mobile,
    pan,
    panName,
    dob: '1992-02-29',
    gender: 'female',
    personalemail: 'asha@mail.example',
  }
  const work = { employmentType: 'salaried', income: 85000, companyName: 'Example Industries' }
  const address = { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001' }
  const hasStatement = pan.slice(5, 9) !== digitsWithoutStatement
  const { opensBySession, hybridName, pledgesGold, pledgesFunds } = contractOf(product)
  if (!opensBySession)
    // The app hands the journey over at once, because the hosted page collects the consents (D1 §4).
    return {
      method: 'POST',
      path: `/api/v1/hybrid/${hybridName}/borrowers/${borrowerProviderID}/journey`,
      body: { personal: profile, work, address, ...(pledgesFunds && hasStatement && { mfc: sandboxFunds }) },
    }
  return {
    method: 'POST',
    path: '/api/lab/sessions',
    body: {
      borrowerProviderID,
      journeyType: product,
      ...(pledgesGold && { goldLoan: { jewelleryWeightGrams: 40, purity: '22K' } }),
      profile,
      workProfile: work,
      address,
    },
  }
}

/** Returns the call as a curl command with a placeholder for the key. */
const curlOf = ({ config }: Context, { method, path, body }: DemoRequest): string =>
  [
    `curl -X ${method} '${config.PUBLIC_URL}${path}'`,
    `-H "Authorization: Bearer $API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(body, null, 2)}'`,
  ].join(' \\\n  ')

/** Throws if an update's signature (Standard Webhooks) is invalid. */
export async function verifyUpdate(ctx: Context, headers: Arrival['headers'], raw: Buffer, at: Date): Promise<void> {
  const { webhookSecret } = await registeredApp(ctx)
  verify(webhookSecret, headers, raw, at)
}

interface DemoRequest {
  method: 'GET' | 'POST'
  path: string
  body?: object
}

// biome-ignore lint/suspicious/noExplicitAny: the demo reads responses without types, as a script would
type ApiAnswer = { status: number; data: any }

const requestData = async (ctx: Context, apiKey: string, request: DemoRequest) =>
  (await callPlatform(ctx, apiKey, request)).data

async function callPlatform(ctx: Context, apiKey: string, { method, path, body }: DemoRequest): Promise<ApiAnswer> {
  const answer = await call({
    method,
    url: `${ctx.config.PUBLIC_URL}${path}`,
    headers: { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (answer.status >= 300) throw new Refusal('upstream', `the platform answered ${answer.status}: ${answer.body}`)
  return { status: answer.status, data: JSON.parse(answer.body.toString('utf8')) }
}
