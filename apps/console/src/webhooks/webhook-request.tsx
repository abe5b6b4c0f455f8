// A webhook request with its headers and masked body.
import type { TestResult } from '@lendloom/wire/console/webhooks'
import { Json } from '../ui/json-viewer.tsx'

export const Request = ({ request: { method, url, headers, body } }: { request: TestResult['request'] }) => (
  <div class="request">
    <p class="mono">
      {method} {url ?? 'the journey’s own callback'}
    </p>
    <dl class="headers">
      {headers.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
    <Json value={body} label="body of the request" />
  </div>
)
