// Files that the partner has not stored yet or has rejected.
import type { PartnerFile } from '@lendloom/wire/console/partner-events'
import { post } from '../api.ts'
import { to } from '../router.ts'
import { hasRole, isOfPlatform, ofTenant, tenantId } from '../session.ts'
import { now } from '../ui/clock.ts'
import { labelOf, shortId } from '../ui/code-labels.ts'
import { Badge, Id, SmallButton, Time, Trouble } from '../ui/components.tsx'
import { useAct } from '../ui/form.tsx'
import { countText } from '../ui/format-figures.ts'
import { type Column, Table, useList } from '../ui/list.tsx'

function StateBadge({ state, createdAt }: PartnerFile) {
  const days = Math.floor((now() - Date.parse(createdAt)) / 86_400_000)
  if (state === 'REFUSED') return <Badge tone="bad">{labelOf(state)}</Badge>
  return days < 1 ? <Badge tone="info">Waiting</Badge> : <Badge tone="warn">Waiting for {countText(days, 'day')}</Badge>
}

const columns: Column<PartnerFile>[] = [
  {
    head: 'File',
    cell: ({ documentType, partner, caseRef }) => (
      <>
        {labelOf(documentType)}
        <span class="quiet small block">{partner}</span>
        <span class="quiet small narrow">Case {shortId(caseRef)}</span>
      </>
    ),
  },
  {
    head: 'State',
    isState: true,
    cell: StateBadge,
  },
  {
    head: 'Answer',
    isMinor: true,
    cell: ({ refusedBecause }) => refusedBecause ?? '',
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
        <SmallButton
          onClick={() => act.run(() => post(ofTenant(`/partner/files/${documentReferenceId}/resend`)), list.reload)}
        >
          Send again
        </SmallButton>
      ),
  }
  if (!list.items?.length && !list.error) return null
  return (
    <section>
      <h2>Files that a partner has not stored</h2>
      {act.problem ? <Trouble error={act.problem} /> : null}
      <Table
        label="Files"
        list={list}
        keyOf={({ documentReferenceId }) => documentReferenceId}
        href={({ journeyId }) => to('journeys', journeyId)}
        columns={
          list.items?.some(({ state }) => state === 'REFUSED')
            ? [...columns, ...(mayAct ? [resend] : [])]
            : columns.filter(({ head }) => head !== 'Answer')
        }
        empty={null}
      />
    </section>
  )
}
