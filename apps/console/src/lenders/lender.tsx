// The page of a lender: figures, answers by action, registry entry, conversations, and switching it off.

import type { ActionAnswers, LenderConversation, LenderDetail } from '@lendloom/wire/console/lenders'
import type { RegistryEntries } from '@lendloom/wire/console/network'
import { useSignal } from '@preact/signals'
import { post } from '../api.ts'
import { noOfferText } from '../journeys/offer-texts.ts'
import { to } from '../router.ts'
import { hasRole, isOfPlatform, tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { labelOf } from '../ui/code-labels.ts'
import { Badge, Crumbs, Empty, Id, Loading, Time, Trouble } from '../ui/components.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { useAct } from '../ui/form.tsx'
import { duration, number } from '../ui/format-figures.ts'
import { type Column, Rows, useResource } from '../ui/list.tsx'
import { api } from './access.ts'
import { AnswerBar } from './answers-bar.tsx'
import { shortProductNames, stateOfLender } from './lender-texts.ts'
import { NewestEvents, PartnerFigures } from './partner-activity.tsx'
import { Entry } from './registry.tsx'
import { SwitchOff } from './switch-off.tsx'

const maySwitch = (): boolean => hasRole('admin', 'operator')

export function LenderPage({ lenderId }: { lenderId: string }) {
  const { value, error, reload } = useResource<LenderDetail>(`/lenders/${lenderId}`, { tenantId: tenantId.value })
  const openDialog = useSignal<'off' | 'on' | null>(null)
  const act = useAct()
  if (error && !value) return <Trouble error={error} retry={reload} />
  if (!value) return <Loading />
  const close = () => {
    openDialog.value = null
    reload()
  }
  const switchOn = () => act.run(() => post(api(`/${lenderId}/switch-on`)), close)
  return (
    <>
      <Crumbs href={to('lenders')} name="Lenders" />
      <Head lender={value} onAsk={(name) => assign(openDialog, name)} />
      {act.problem ? <Trouble error={act.problem} /> : null}
      <OffNotices lender={value} />
      <Activity lender={value} />
      {openDialog.value === 'off' && <SwitchOff lender={value} onClose={close} />}
      {openDialog.value === 'on' && (
        <Confirm
          title={`Switch ${value.name} on?`}
          button="Switch on"
          onConfirm={switchOn}
          onClose={() => assign(openDialog, null)}
        >
          <p>New searches include it again, and borrowers can choose its offers that have not expired.</p>
        </Confirm>
      )}
    </>
  )
}

const Activity = ({ lender }: { lender: LenderDetail }) =>
  lender.isPartner ? (
    <>
      <PartnerFigures lender={lender} />
      <NewestEvents partnerId={lender.partnerId} />
    </>
  ) : (
    <>
      <Figures lender={lender} />
      <section>
        <h2>Answers by action</h2>
        <ActionTable actions={lender.actions} />
      </section>
      <RegistryPart bppId={lender.bppId} />
      <section>
        <h2>Newest conversations</h2>
        <Conversations conversations={lender.conversations} />
      </section>
    </>
  )

/** Whether the lender is off in the selected scope: a tenant, or all tenants. */
const isOffInScope = ({ off }: LenderDetail): boolean =>
  off.some(({ forAll, tenantId: offTenantId }) => (tenantId.value === '' ? forAll : offTenantId === tenantId.value))

function Head({ lender, onAsk }: { lender: LenderDetail; onAsk(name: 'off' | 'on'): void }) {
  const { name, isPartner, partnerId, bppId, providerId, products, grievanceOfficer } = lender
  const [tone, text] = stateOfLender(lender)
  // The page of a partner switches it off for all tenants.
  const hasOwnPage = isOfPlatform.value && partnerId !== null && tenantId.value === ''
  return (
    <div class="page-head">
      <div>
        <h1>
          {name} <Badge tone={tone}>{text}</Badge>
        </h1>
        <p class="quiet address">
          {isPartner ? 'Lending partner' : 'Lender of the network'} · <Id value={bppId} whole />
          {!isPartner && (
            <>
              {' '}
              · provider <Id value={providerId} whole />
            </>
          )}
          {products.length > 0 && ` · ${products.map((each) => shortProductNames[each] ?? each).join(', ')}`}
          {grievanceOfficer && ` · grievance officer ${grievanceOfficer}`}
        </p>
      </div>
      <div class="acts">
        {isOfPlatform.value && partnerId && (
          <a class="secondary" href={to('lenders', 'partners', partnerId)}>
            Limits, credentials and switch
          </a>
        )}
        {maySwitch() &&
          (isOffInScope(lender) ? (
            <button type="button" class="primary" onClick={() => onAsk('on')}>
              Switch on{tenantId.value === '' ? ' for all' : ''}
            </button>
          ) : (
            !hasOwnPage && (
              <button type="button" class="secondary" onClick={() => onAsk('off')}>
                Switch off{tenantId.value === '' ? ' for all' : ' for this tenant'}
              </button>
            )
          ))}
      </div>
    </div>
  )
}

const OffNotices = ({ lender: { off } }: { lender: LenderDetail }) => (
  <>
    {off.map(({ forAll, tenantId: offTenantId, reason, offAt, personName }) => (
      <div key={offTenantId ?? 'all'} class="notice warn">
        <p>
          <strong>Switched off for {forAll ? 'all tenants' : 'a tenant'}</strong> <Time at={offAt} />
          {` by ${personName ?? 'the command line'}`}: {reason}
        </p>
        <p class="quiet">
          {offTenantId !== null && (
            <>
              Tenant <Id value={offTenantId} />.{' '}
            </>
          )}
          New searches do not include it, and borrowers cannot choose its offers. Journeys that chose its offer
          continue.
        </p>
      </div>
    ))}
  </>
)

const Figures = ({ lender: { hour, offers, lastMessageAt, seenAt } }: { lender: LenderDetail }) => (
  <dl class="figures">
    <div>
      <dt>Answered on time, last hour</dt>
      <dd>{number(hour.answered)}</dd>
      <dd class="quiet small">{hour.late > 0 ? `and ${number(hour.late)} late` : 'none late'}</dd>
    </div>
    <div>
      <dt>Median time to answer</dt>
      <dd>{duration(hour.medianMs)}</dd>
      <dd class="quiet small">for the most frequent request</dd>
    </div>
    <div>
      <dt>Rejected or not answered, last hour</dt>
      <dd>{number(hour.refused + hour.silent + hour.unreached)}</dd>
      <dd class="quiet small">{number(hour.refused)} rejected</dd>
    </div>
    <div>
      <dt>Offers, seven days</dt>
      <dd>{number(offers.offered)}</dd>
      <dd class="quiet small">
        of {number(offers.requested)} requested; {number(offers.chosen)} chosen
      </dd>
    </div>
    <div>
      <dt>Last message</dt>
      <dd>{lastMessageAt ? <Time at={lastMessageAt} /> : '–'}</dd>
      <dd class="quiet small">
        catalogue <Time at={seenAt} />
      </dd>
    </div>
  </dl>
)

const actionColumns: Column<ActionAnswers>[] = [
  { head: 'Action', cell: ({ action }) => <code>{action}</code> },
  { head: 'Last hour', cell: ({ hour }) => <AnswerBar answers={hour} /> },
  { head: 'Median', isNumber: true, cell: ({ hour }) => duration(hour.medianMs) },
  { head: 'Seven days', isMinor: true, cell: ({ week }) => <AnswerBar answers={week} /> },
]

const ActionTable = ({ actions }: { actions: ActionAnswers[] }) =>
  actions.length === 0 ? (
    <Empty title="No requests in seven days" />
  ) : (
    <Rows label="Answers by action" items={actions} columns={actionColumns} keyOf={({ action }) => action} />
  )

function RegistryPart({ bppId }: { bppId: string }) {
  const { value, error, reload } = useResource<RegistryEntries>('/network/registry', { tenantId: tenantId.value })
  const entry = value?.lenders.find(({ subscriberId }) => subscriberId === bppId)
  return (
    <section>
      <h2>In the registry</h2>
      {error && <Trouble error={error} retry={reload} />}
      {!value && !error && <Loading rows={2} />}
      {entry && <Entry entry={entry} />}
    </section>
  )
}

/** A code of the network stands in the tooltip of the words that a journey has for it. */
function EndReason({ endedBecause, offer }: LenderConversation) {
  if (!endedBecause) return ''
  const isCode = /^(?:error|rejected:) \S+$/.test(endedBecause)
  if (!isCode || !offer?.reason) return labelOf(endedBecause)
  return <span title={labelOf(endedBecause)}>{noOfferText({ ...offer, rejectedAt: null }, true)}</span>
}

const conversationColumns: Column<LenderConversation>[] = [
  {
    head: 'Journey',
    cell: ({ journeyId, product }) => `${shortProductNames[product] ?? product} · ${journeyId.slice(-6)}`,
  },
  { head: 'Stage', isState: true, cell: ({ stage }) => labelOf(stage) },
  {
    head: 'Waits for',
    isMinor: true,
    cell: ({ awaitedAction, awaitedUntil }) =>
      awaitedAction ? (
        <>
          on_{awaitedAction} {awaitedUntil && <Time at={awaitedUntil} />}
        </>
      ) : (
        '–'
      ),
  },
  { head: 'End reason', isMinor: true, cell: EndReason },
  {
    head: 'Last message',
    isNumber: true,
    isSelfEvident: true,
    cell: ({ lastMessageAt }) => (lastMessageAt ? <Time at={lastMessageAt} /> : '–'),
  },
]

const Conversations = ({ conversations }: { conversations: LenderConversation[] }) =>
  conversations.length === 0 ? (
    <Empty title="No conversation yet">
      <p>A conversation starts when the lender answers a journey’s search.</p>
    </Empty>
  ) : (
    <Rows
      label="Newest conversations"
      items={conversations}
      columns={conversationColumns.filter(
        ({ head }) => head !== 'Waits for' || conversations.some(({ awaitedAction }) => awaitedAction),
      )}
      keyOf={({ conversationId }) => conversationId}
      href={({ journeyId }) => to('journeys', journeyId)}
    />
  )
