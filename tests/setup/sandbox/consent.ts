// A borrower at the sandbox's account aggregator, sent there by a service provider: logs in and approves a consent.

import { uuidv4 } from '@lendloom/seal/id'
import { newSigner, publicJwk } from '@lendloom/seal/jws'
import { redirectTo } from '@lendloom/wire/aggregator/redirect'
import { readForm } from '@lendloom/wire/network/html-form'
import { call, post } from './buyer.ts'

/** Approves the consent with this handle for every account that the page lists. */
export async function approveConsent(sandboxUrl: string, handle: string, userId: string): Promise<void> {
  const requestor = { id: `lsp-${uuidv4()}.test.example`, type: 'LSP', secret: uuidv4() } as const
  const keys = [publicJwk(newSigner('lsp-1'))]
  await call({
    method: 'POST',
    url: `${sandboxUrl}/aggregator/registry/entities`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...requestor, name: 'A service provider', apiKey: uuidv4(), keys }),
  })
  const returnUrl = 'http://127.0.0.1/back'
  const visit = { txnId: uuidv4(), sessionId: uuidv4(), userId, returnUrl, handles: [handle] }
  const { url } = await redirectTo(`${sandboxUrl}/aggregator/web`, requestor, visit, { at: new Date(), escaped: true })
  const login = readForm((await call({ method: 'GET', url })).body.toString(), url)
  const loginReply = await post(login.action, entriesOf(login))
  const page = loginReply.body.toString()
  const decision = readForm(page, login.action)
  // Checkboxes with one name are one form field, whose value is that of the first; the others are added here.
  const otherAccounts = [...page.matchAll(/name="account" value="([^"]+)"/g)].slice(1).map((match) => match[1]!)
  const accounts = otherAccounts.map((value): [string, string] => ['account', value])
  const decisionReply = await post(decision.action, [...entriesOf(decision), ...accounts])
  if (decisionReply.status !== 303) throw new Error(`the aggregator answered ${decisionReply.status}`)
}

const entriesOf = ({ fields }: ReturnType<typeof readForm>): [string, string][] =>
  fields.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as [string, string]]))
