// Embeds the hosted page in an app whose server gets the loan's updates by webhook: docs/tutorials/embed-a-loan.md.
//
//   npm start                      in one terminal
//   npm run example:embed          in another
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'

const { platform, tenant } = JSON.parse(readFileSync('.lendloom/sandbox.json', 'utf8'))

/** Calls the platform with the API key, which never leaves this server. */
async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(platform.url + path, {
    method,
    headers: { authorization: `Bearer ${tenant.apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return (answer.status === 204 ? null : await answer.json()) as Answer
}

// An endpoint's secret is shown once, so an app stores it. This example registers a new endpoint at each start.
const hook = 'http://127.0.0.1:5000/hooks/lendloom'
const endpoints = '/api/lab/webhook-endpoints'
const { data } = await call<{ data: { items: { id: string; url: string }[] } }>('GET', endpoints)
for (const { id, url } of data.items) if (url === hook) await call('DELETE', `${endpoints}/${id}`)
const { secret } = await call<{ secret: string }>('POST', endpoints, { url: hook })

/** Whether a webhook was signed with our secret, by the rules of Standard Webhooks 1.0.0. */
function isGenuine(headers: IncomingHttpHeaders, raw: Buffer): boolean {
  const isRecent = Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) <= 300
  const expected = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`)
    .update(raw)
    .digest()
  const isSigned = String(headers['webhook-signature'])
    .split(' ')
    .some((each) => {
      const given = Buffer.from(each.replace(/^v1,/, ''), 'base64')
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
  return isRecent && isSigned
}

const page = `<!doctype html>
<title>My app</title>
<h1>My app</h1>
<div id="loan"></div>
<script src="${platform.url}/sdk/lendloom.js"></script>
<script type="module">
  const freshUrl = () => fetch('/embed-url').then((answer) => answer.text())
  Lendloom.mountLendloom({
    container: document.getElementById('loan'),
    embedUrl: await freshUrl(),
    onExpired: freshUrl,
    onError: ({ code, retryable }) => console.warn('the page failed:', code, retryable),
    onUpdate: (update) => console.log('the page says', update.borrower.journey.status),
  })
</script>`

createServer(async (request, response) => {
  if (request.url === '/embed-url') {
    const profile = { contactNumber: '9876543210' }
    const session = { borrowerProviderID: 'user-42', profile }
    const { embedUrl } = await call<{ embedUrl: string }>('POST', '/api/lab/sessions', session)
    return response.end(embedUrl)
  }
  if (request.url === '/hooks/lendloom') {
    const raw = await buffer(request)
    if (!isGenuine(request.headers, raw)) return response.writeHead(401).end()
    const { borrower } = JSON.parse(raw.toString())
    console.log('the webhook says', borrower.journey.status, borrower.provider_id)
    return response.end()
  }
  response.setHeader('content-type', 'text/html')
  response.end(page)
}).listen(5000, () => console.log('open http://127.0.0.1:5000'))
