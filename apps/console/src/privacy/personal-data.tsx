// The personal data of a borrower, of a journey or without one: what is stored, legal hold, nominee, export and erasure.

import type { BorrowerPrivacy } from '@lendloom/wire/console/privacy'
import { useSignal } from '@preact/signals'
import { JourneyStatus } from '../journeys/journey-status.tsx'
import { productName } from '../journeys/journey-texts.ts'
import { to } from '../router.ts'
import { tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { inIndiaAs } from '../ui/clock.ts'
import { Badge, Crumbs, Day, Loading, PageHead, Time, Trouble } from '../ui/components.tsx'
import { type Column, Rows, useResource } from '../ui/list.tsx'
import { Requests } from './borrower-erasures.tsx'
import { type DataDialog, DataDialogs } from './personal-data-dialogs.tsx'
import { dataText } from './privacy-texts.ts'

interface PersonalDataProps {
  path: string
  /** The journey whose page shows the data; null on the page of a borrower. */
  journeyId: string | null
  /** Reloads the journey, whose data may be erased now. */
  onDone(): void
}

/** The page of a borrower who may have no journey. */
export const BorrowerData = ({ borrowerId }: { borrowerId: string }) => (
  <>
    <Crumbs href={to('complaints', 'erasures')} name="Erasure requests" />
    <PageHead title="Personal data of a borrower" />
    <PersonalData path={`/borrowers/${borrowerId}/privacy`} journeyId={null} onDone={() => {}} />
  </>
)

export function PersonalData({ path, journeyId, onDone }: PersonalDataProps) {
  const { value, error, reload } = useResource<BorrowerPrivacy>(path, { tenantId: tenantId.value })
  const dialog = useSignal<DataDialog | null>(null)
  const setDialog = (next: DataDialog | null) => assign(dialog, next)
  const done = () => {
    setDialog(null)
    reload()
    onDone()
  }
  if (error && !value) return <Trouble error={error} retry={reload} />
  if (!value) return <Loading />
  return (
    <div class="personal-data">
      <section>
        <h2>Applications of this borrower</h2>
        <Rows
          label="Applications of this borrower"
          items={value.journeys}
          columns={columnsFor(value.journeys.length > 1 ? journeyId : null)}
          keyOf={(journey) => journey.journeyId}
          href={(journey) => to('journeys', journey.journeyId, 'personal-data')}
        />
      </section>
      <Requests data={value} onRequest={() => setDialog('erasure')} onDone={done} />
      <div class="cards">
        <Hold hold={value.hold} onOpen={setDialog} />
        <NomineeCard nominee={value.nominee} onOpen={setDialog} />
        <ExportCard onOpen={setDialog} />
      </div>
      <DataDialogs
        dialog={dialog.value}
        path={path}
        borrowerId={value.borrowerId}
        onClose={() => setDialog(null)}
        onDone={done}
      />
    </div>
  )
}

const columnsFor = (openJourneyId: string | null): Column<BorrowerPrivacy['journeys'][number]>[] => [
  {
    head: 'Product',
    cell: ({ product, journeyId }) => (
      <>
        {productName(product)} {journeyId === openJourneyId && <span class="quiet small block">This journey</span>}
      </>
    ),
  },
  { head: 'Status', isState: true, cell: ({ status }) => <JourneyStatus journey={{ status, expired: null }} /> },
  { head: 'Created', isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { head: 'Erasure', cell: dataText },
]

interface CardProps {
  onOpen(dialog: DataDialog): void
}

const CardButton = ({ text, onClick }: { text: string; onClick(): void }) => (
  <div class="acts">
    <button type="button" class="secondary" onClick={onClick}>
      {text}
    </button>
  </div>
)

const Hold = ({ hold, onOpen }: CardProps & Pick<BorrowerPrivacy, 'hold'>) => (
  <section class="card">
    <h2>Legal hold</h2>
    {hold ? (
      <>
        <p>
          <Badge tone="warn">In force</Badge>
        </p>
        <p class="as-written">{hold.reason}</p>
        <p class="quiet small">
          Placed by {hold.placedBy ?? 'the command line'} on {inIndiaAs('minute', hold.placedAt)}. We erase nothing of
          this borrower.
        </p>
        <CardButton text="Release" onClick={() => onOpen('release')} />
      </>
    ) : (
      <>
        <p class="quiet">While a hold is in force, we erase nothing of this borrower.</p>
        <CardButton text="Place a legal hold" onClick={() => onOpen('hold')} />
      </>
    )}
  </section>
)

const NomineeCard = ({ nominee, onOpen }: CardProps & Pick<BorrowerPrivacy, 'nominee'>) => (
  <section class="card">
    <h2>Nominee</h2>
    {nominee ? (
      <p>
        Recorded on <Day on={nominee.namedAt} />. The export contains the name and contact.
      </p>
    ) : (
      <p class="quiet">Exercises the borrower’s rights after their death or incapacity.</p>
    )}
    <CardButton text={nominee ? 'Replace the nominee' : 'Record a nominee'} onClick={() => onOpen('nominee')} />
  </section>
)

const ExportCard = ({ onOpen }: CardProps) => (
  <section class="card">
    <h2>Export</h2>
    <p class="quiet">
      Everything that is stored of the borrower, unmasked, and who received it. The audit log records who exported it
      and why.
    </p>
    <CardButton text="Export data" onClick={() => onOpen('export')} />
  </section>
)
