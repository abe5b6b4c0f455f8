// One API request and its response, with personal data masked.
import type { RequestDetail } from '@lendloom/wire/console/request-log'
import { to } from '../router.ts'
import { tenantId } from '../session.ts'
import { Crumbs, Id, Loading, Time, Trouble } from '../ui/components.tsx'
import { Json } from '../ui/json-viewer.tsx'
import { useResource } from '../ui/list.tsx'
import { RouteOf, Status } from './api-requests.tsx'

export function RequestPage({ requestId }: { requestId: string }) {
  const filter = { tenantId: tenantId.value }
  const { value, error, reload } = useResource<RequestDetail>(`/developers/requests/${requestId}`, filter)
  if (error && !value) return <Trouble error={error} retry={reload} />
  if (!value) return <Loading />
  return (
    <>
      <Crumbs href={to('developers', 'requests')} name="Requests" />
      <div class="page-head">
        <div>
          <h1 class="address">
            <RouteOf {...value} /> <Status status={value.status} />
          </h1>
          <p class="quiet">
            <Time at={value.at} exact /> · {value.ms} ms{value.error && ` · ${value.error}`}
          </p>
        </div>
      </div>
      <Facts request={value} />
      <div class="columns">
        <Body title="Request body" body={value.request} />
        <Body title="Response body" body={value.reply} />
      </div>
    </>
  )
}

const Facts = ({ request: { correlationId, keyId, journeyId, requestId } }: { request: RequestDetail }) => (
  <dl class="facts line">
    {correlationId !== requestId && (
      <div>
        <dt>Correlation ID</dt>
        <dd>
          <Id value={correlationId} />
        </dd>
      </div>
    )}
    <div>
      <dt>Authenticated by</dt>
      <dd>{keyId ? <Id value={keyId} /> : 'a borrower’s session'}</dd>
    </div>
    {journeyId && (
      <div>
        <dt>Journey</dt>
        <dd>
          <a href={to('journeys', journeyId)}>{journeyId}</a>
        </dd>
      </div>
    )}
    <div>
      <dt>{correlationId === requestId ? 'Request and correlation ID' : 'Request'}</dt>
      <dd>
        <Id value={requestId} />
      </dd>
    </div>
  </dl>
)

const Body = ({ title, body }: { title: string; body: unknown }) => (
  <section>
    <h2>{title}</h2>
    {body === null ? <p class="quiet">No body.</p> : <Json value={body} label={title} />}
  </section>
)
