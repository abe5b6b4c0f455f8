// Files that the partner has not stored, and the keys that both sides know each other by.
import type { ComponentChildren } from 'preact'
import type { PartnerCredentials, PartnerFile } from '#contract/console/partner.ts'
import { post } from '../api.ts'
import { to } from '../router.ts'
import { hasRole, isOfPlatform, ofTenant, tenantId } from '../session.ts'
import { useAct } from '../ui/form.tsx'
import { type Column, Table, useList, useOne } from '../ui/list.tsx'
import { Badge, Empty, Id, Loading, Small, Time, Trouble } from '../ui/parts.tsx'
import { worded } from '../ui/words.ts'

const columns: Column<PartnerFile>[] = [
  { head: 'File', cell: ({ documentType }) => worded(documentType) },
  {
    head: 'State',
    cell: ({ state }) => <Badge tone={state === 'REFUSED' ? 'bad' : 'info'}>{worded(state)}</Badge>,
  },
  {
    head: 'Because',
    isMinor: true,
    cell: ({ refusedBecause }) => refusedBecause ?? <span class="quiet">tried by itself</span>,
  },
  { head: 'Case', isMinor: true, cell: ({ caseRef }) => <Id value={caseRef} /> },
  { head: 'Since', isNumber: true, isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

export function Files() {
  const list = useList<PartnerFile>('/partner/files', { tenantId: tenantId.value })
  const act = useAct()
  const mayAct = isOfPlatform.value && hasRole('operator', 'admin')
  const resend: Column<PartnerFile> = {
    head: '',
    cell: ({ documentReferenceId, state }) =>
      state === 'REFUSED' && (
        <Small
          onClick={() => act.run(() => post(ofTenant(`/partner/files/${documentReferenceId}/resend`)), list.reload)}
        >
          Send again
        </Small>
      ),
  }
  return (
    <>
      {act.problem ? <Trouble error={act.problem} /> : null}
      <Table
        label="Files"
        list={list}
        keyOf={({ documentReferenceId }) => documentReferenceId}
        href={({ journeyId }) => to('journeys', journeyId)}
        columns={mayAct ? [...columns, resend] : columns}
        empty={
          <Empty title="The partner has stored every file">
            <p>Files that wait for another try, or that it refused, appear here.</p>
          </Empty>
        }
      />
    </>
  )
}

export function Credentials() {
  const { value, error, reload } = useOne<PartnerCredentials>('/partner/credentials')
  if (error && !value) return <Trouble error={error} retry={reload} />
  if (!value) return <Loading />
  if (!value.isConfigured || !value.outgoing || !value.incoming)
    return (
      <Empty title="There is no lending partner">
        <p>
          <code>PARTNER_URL</code> and <code>PARTNER_CREDENTIALS</code> connect one.
        </p>
      </Empty>
    )
  return (
    <>
      <div class="delivery even">
        <section>
          <h2>What we present</h2>
          <dl class="facts upright">
            <Fact name="Sender">{value.outgoing.sender}</Fact>
            <Fact name="Signing key">
              <Id value={value.outgoing.keyId} whole />
            </Fact>
            <Fact name="Goes to">{value.url}</Fact>
            <Fact name="Valid">until the setting is changed</Fact>
          </dl>
        </section>
        <section>
          <h2>
            What the partner presents {value.isRotating && <Badge tone="info">Two keys: it is being rotated</Badge>}
          </h2>
          <dl class="facts upright">
            <Fact name="Sender">{value.incoming.sender}</Fact>
            {value.incoming.keyIds.map((keyId, i) => (
              <Fact key={keyId} name={i === 0 ? 'Signing key' : 'and'}>
                <Id value={keyId} whole />
              </Fact>
            ))}
            <Fact name="Valid">until the setting is changed</Fact>
          </dl>
        </section>
      </div>
      <Rotation />
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd class="address">{children}</dd>
  </div>
)

const Rotation = () => (
  <section>
    <h2>Rotate a key</h2>
    <p class="quiet">
      Credentials are in the setting <code>PARTNER_CREDENTIALS</code>, and in that of the partner; the console cannot
      change them. An event that is refused meanwhile (401) is given up: send it again from Partner events.
    </p>
    <h3>The partner’s signing key</h3>
    <ol class="steps">
      <li>
        Add the new key beside the old one under <code>webhook.keys</code>, and restart every process of the platform.
      </li>
      <li>When this page shows both, the partner signs with the new one.</li>
      <li>
        Take the old one out of <code>webhook.keys</code>, and restart.
      </li>
    </ol>
    <h3>Our signing key</h3>
    <ol class="steps">
      <li>The partner accepts the new key beside the old one; it holds two.</li>
      <li>
        Change <code>keyId</code> and <code>secret</code>, and restart: events that wait are signed anew with each try.
      </li>
      <li>The partner takes the old one out.</li>
    </ol>
  </section>
)
