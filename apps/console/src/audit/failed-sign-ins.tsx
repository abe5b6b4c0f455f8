// Failed sign-ins, for admins.

import { type FailureOutcome, failureOutcomes, failureTexts } from '@lendloom/identity/sign-in-failures'
import type { SignInFailure } from '@lendloom/wire/console/staff'
import { query } from '../router.ts'
import { tenantId } from '../session.ts'
import { Badge, Empty, Time } from '../ui/components.tsx'
import { NoMatch, Select } from '../ui/filter.tsx'
import { type Column, Table, useList } from '../ui/list.tsx'

const badOutcomes = new Set<FailureOutcome>(['LIMITED', 'OPENID_UNPROVEN'])

const columns: Column<SignInFailure>[] = [
  { head: 'Who', cell: (failure) => <Who failure={failure} /> },
  {
    head: 'Why',
    cell: ({ outcome, network, at }) => (
      <div class="wraps">
        <Badge tone={badOutcomes.has(outcome) ? 'bad' : 'warn'}>{failureTexts[outcome]}</Badge>
        <span class="quiet small narrow">
          from {network || 'unknown'}, <Time at={at} />
        </span>
      </div>
    ),
  },
  { head: 'From', isMinor: true, cell: ({ network }) => <code>{network || 'unknown'}</code> },
  { head: 'When', isNumber: true, isMinor: true, cell: ({ at }) => <Time at={at} exact /> },
]

const Who = ({ failure: { personId, personName, email } }: { failure: SignInFailure }) => (
  <>
    {personId === null ? <span class="quiet">Unknown person</span> : (personName ?? 'Former member')}
    <span class="quiet small block address">{email || 'No email entered'}</span>
  </>
)

export function SignIns() {
  const outcome = query.value('outcome')
  const list = useList<SignInFailure>('/sign-in-failures', { tenantId: tenantId.value, outcome })
  return (
    <>
      <div class="filters">
        <Select
          name="outcome"
          label="Why"
          any="Any reason"
          value={outcome}
          options={failureOutcomes.map((each) => [each, failureTexts[each]])}
        />
      </div>
      <Table
        label="Failed sign-ins"
        list={list}
        keyOf={({ failureId }) => failureId}
        columns={columns}
        empty={
          outcome === '' ? (
            <NoFailures />
          ) : (
            <NoMatch title="No failed sign-ins match these filters" filters={['outcome']} />
          )
        }
      />
    </>
  )
}

const NoFailures = () => (
  <Empty title="No failed sign-ins">
    <p>
      Wrong passwords, wrong codes and too many attempts appear here with their network address.
      {tenantId.value !== '' && ' Failures with an unknown email appear only in the list of all tenants.'}
    </p>
  </Empty>
)
