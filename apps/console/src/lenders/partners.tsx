// Lending partners outside the network: the list with their files and events, and the page of each partner.

import type { LendingPartner, LendingPartners } from '@lendloom/wire/console/lending-partners'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { to } from '../router.ts'
import { hasRole, isOfPlatform } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { Badge, Crumbs, Empty, Id, Loading, Time, Trouble } from '../ui/components.tsx'
import { number } from '../ui/format-figures.ts'
import { type Column, Rows, useResource } from '../ui/list.tsx'
import { contactFieldNames, ruleNames, ruleText, shortProductNames, unitPattern, withUnit } from './lender-texts.ts'
import { Rotate } from './partner-credential-rotation.tsx'
import { Events } from './partner-events.tsx'
import { Files } from './partner-files.tsx'
import { EditPartner } from './partner-form.tsx'
import { SwitchPartner } from './partner-switch.tsx'

/** Loads the partners of the platform. */
export const usePartners = () => useResource<LendingPartners>('/lending-partners')
const mayChange = (): boolean => hasRole('admin')
const maySwitch = (): boolean => hasRole('admin', 'operator')

const columns: Column<LendingPartner>[] = [
  {
    head: 'Partner',
    cell: ({ name, sender }) => (
      <span class="lender">
        {name}
        <span class="quiet small block">{sender}</span>
      </span>
    ),
  },
  { head: 'State', isState: true, cell: ({ isOff }) => <StateBadge isOff={isOff} /> },
  { head: 'Products', isMinor: true, cell: productsText },
  {
    head: 'Recommended loans',
    isMinor: true,
    isNumber: true,
    cell: ({ rules }) => `${rupees(rules.leastRupees)} – ${rupees(rules.mostRupees)}`,
  },
  { head: 'Interest', isMinor: true, isNumber: true, cell: ({ rules }) => `${Number(rules.ratePercent)}%` },
  { head: 'Waiting', isNumber: true, cell: ({ waitingEvents }) => number(waitingEvents) },
  { head: 'Given up', isNumber: true, isMinor: true, cell: ({ deadEvents }) => number(deadEvents) },
  { head: 'Last event', isNumber: true, isMinor: true, cell: lastEventCell },
]

/** Formats whole rupees. */
export const rupees = (amount: number): string => `₹${number(amount)}`

function productsText({ products }: LendingPartner): string {
  return products.map((product) => shortProductNames[product] ?? product).join(', ')
}

function lastEventCell({ lastEventAt }: LendingPartner) {
  return lastEventAt ? <Time at={lastEventAt} /> : <span class="quiet">None in the last day</span>
}

const StateBadge = ({ isOff }: { isOff: boolean }) =>
  isOff ? <Badge tone="warn">Switched off</Badge> : <Badge tone="good">On</Badge>

export const Partners = () => (
  <>
    {isOfPlatform.value && <PartnerList />}
    <Files />
    <Events />
  </>
)

function PartnerList() {
  const { value, error, reload } = usePartners()
  const isAdding = useSignal(false)
  if (error && !value) return <Trouble error={error} retry={reload} />
  if (!value) return <Loading />
  const close = () => {
    isAdding.value = false
    reload()
  }
  return (
    <>
      {mayChange() && (
        <div class="acts above">
          <button type="button" class="primary" onClick={() => assign(isAdding, true)}>
            Add a partner
          </button>
        </div>
      )}
      {value.items.length === 0 ? (
        <Empty title="No lending partners yet">
          <p>Add a lending partner and switch it on to exchange applications with lenders outside the network.</p>
        </Empty>
      ) : (
        <Rows
          label="Lending partners"
          items={value.items}
          keyOf={({ partnerId }) => partnerId}
          href={({ partnerId }) => to('lenders', 'partners', partnerId)}
          columns={columns}
        />
      )}
      {isAdding.value && <EditPartner partner={null} onClose={close} />}
    </>
  )
}

type PartnerDialog = 'edit' | 'outgoing' | 'incoming' | 'switch'

export function PartnerPage({ partnerId }: { partnerId: string }) {
  const { value, error, reload } = usePartners()
  const openDialog = useSignal<PartnerDialog | null>(null)
  if (error && !value) return <Trouble error={error} retry={reload} />
  if (!value) return <Loading />
  const partner = value.items.find((each) => each.partnerId === partnerId)
  if (!partner) return <Empty title="Partner not found" />
  const close = () => {
    openDialog.value = null
    reload()
  }
  const open = (name: PartnerDialog) => () => assign(openDialog, name)
  return (
    <>
      <Crumbs href={to('lenders', 'partners')} name="Partners" />
      <Head partner={partner} open={open} />
      <Traffic partner={partner} />
      <div class="delivery even">
        <Limits partner={partner} />
        <div class="partner-side">
          <Contacts partner={partner} />
          <Credentials partner={partner} open={open} />
        </div>
      </div>
      {openDialog.value === 'edit' && <EditPartner partner={partner} onClose={close} />}
      {openDialog.value === 'switch' && <SwitchPartner partner={partner} onClose={close} />}
      {(openDialog.value === 'outgoing' || openDialog.value === 'incoming') && (
        <Rotate partner={partner} direction={openDialog.value} onClose={close} />
      )}
    </>
  )
}

type DialogOpener = (name: PartnerDialog) => () => void

const Head = ({ partner, open }: { partner: LendingPartner; open: DialogOpener }) => (
  <div class="page-head">
    <div>
      <h1>
        {partner.name} <StateBadge isOff={partner.isOff} />
      </h1>
      <p class="quiet">
        {partner.url} {partner.offReason && `· ${partner.offReason}`}
      </p>
    </div>
    <div class="acts">
      {mayChange() && (
        <button type="button" class="secondary" onClick={open('edit')}>
          Edit
        </button>
      )}
      {maySwitch() && (
        <button type="button" class={partner.isOff ? 'primary' : 'secondary'} onClick={open('switch')}>
          {partner.isOff ? 'Switch on' : 'Switch off'}
        </button>
      )}
    </div>
  </div>
)

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd class="address">{children}</dd>
  </div>
)

const Figure = ({ name, about, children }: { name: string; about: ComponentChildren; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
    <dd class="quiet small">{about}</dd>
  </div>
)

const Traffic = ({ partner }: { partner: LendingPartner }) => (
  <dl class="figures">
    <Figure name="Recommended up to" about={`from ${rupees(partner.rules.leastRupees)}`}>
      {rupees(partner.rules.mostRupees)}
    </Figure>
    <Figure name="Events waiting" about="to be sent or applied">
      {number(partner.waitingEvents)}
    </Figure>
    <Figure name="Events given up" about={<a href={to('lenders', 'partners')}>All events of partners</a>}>
      {number(partner.deadEvents)}
    </Figure>
    <Figure name="Last event" about={partner.lastEventAt ? '' : 'in the last day'}>
      {partner.lastEventAt ? <Time at={partner.lastEventAt} /> : 'None'}
    </Figure>
    <Figure name="Products" about="loans">
      {productsText(partner)}
    </Figure>
  </dl>
)

const Limits = ({ partner: { rules } }: { partner: LendingPartner }) => (
  <section>
    <h2>Limits and prices</h2>
    <dl class="facts upright">
      {ruleNames.map(([field, name]) => (
        <Fact key={field} name={name.replace(unitPattern, '')}>
          {withUnit(ruleText(field, rules[field]), name)}
        </Fact>
      ))}
      <Fact name="Term">22 weeks</Fact>
    </dl>
  </section>
)

const Contacts = ({ partner: { contact } }: { partner: LendingPartner }) => (
  <section>
    <h2>Contacts for borrowers</h2>
    <dl class="facts upright">
      {contactFieldNames.map(([field, name]) => (
        <Fact key={field} name={name}>
          {contact[field] || <span class="quiet">Missing</span>}
        </Fact>
      ))}
    </dl>
  </section>
)

const Credentials = ({ partner, open }: { partner: LendingPartner; open: DialogOpener }) => (
  <>
    <section>
      <h2>Our credentials</h2>
      <dl class="facts upright">
        <Fact name="Sender">{partner.ourSender}</Fact>
        {partner.outgoing.map(({ keyId, from, isUsed }) => (
          <Fact key={keyId} name={isUsed ? 'Signing key' : 'Next'}>
            <Id value={keyId} whole /> {isUsed ? null : <span class="quiet">used from {<Time at={from} exact />}</span>}
          </Fact>
        ))}
      </dl>
      {mayChange() && (
        <button type="button" class="secondary" onClick={open('outgoing')}>
          Replace our credentials
        </button>
      )}
    </section>
    <section>
      <h2>The partner’s credentials</h2>
      <dl class="facts upright">
        <Fact name="Sender">{partner.sender}</Fact>
        {partner.incoming.map(({ keyId, until }) => (
          <Fact key={keyId} name="Signing key">
            <Id value={keyId} whole />{' '}
            {until ? <span class="quiet">valid until {<Time at={until} exact />}</span> : null}
          </Fact>
        ))}
      </dl>
      {mayChange() && (
        <button type="button" class="secondary" onClick={open('incoming')}>
          Replace the partner’s credentials
        </button>
      )}
    </section>
  </>
)
