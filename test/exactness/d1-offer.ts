// What D1 §2.4 makes of a lender's raw words: its on_select read by hand, so that our reader cannot vouch for itself.

// biome-ignore lint/suspicious/noExplicitAny: whatever came over the wire
type Json = any

const tagsOf = (tags: Json[], group: string): Record<string, string> =>
  Object.fromEntries(
    tags
      .filter(({ descriptor }) => descriptor.code === group)
      .flatMap(({ list }) => list.map((tag: Json) => [tag.descriptor.code, tag.value])),
  )

/** An amount as lenders write it, `0 INR`, in the form of all amounts. */
const amount = (text: string): string => text.replace(/^(\d+) INR$/, '$1.00')

/** The offer of an order with a quote, without what only the platform knows: `id`, `accepted`, `expired`, `installments`. */
export function offerOf({ items, quote }: Json): Json {
  const info = tagsOf(items[0].tags, 'LOAN_INFO')
  const row = (title: string): string => quote.breakup.find((each: Json) => each.title === title).price.value
  const kind = info.INTEREST_RATE_TYPE!
  return {
    amount_principal: row('PRINCIPAL'),
    amount_total_interest_payable: row('INTEREST'),
    amount_net_disbursed_amount: row('NET_DISBURSED_AMOUNT'),
    offer_term: info.TERM,
    interest_rate: info.INTEREST_RATE,
    annual_percentage_rate: info.ANNUAL_PERCENTAGE_RATE,
    interest_type: kind === 'FIXED' ? 'Fixed' : 'Reducing',
    number_of_installments: Number(info.NUMBER_OF_INSTALLMENTS_OF_REPAYMENT),
    cool_off_period: info.COOL_OFF_PERIOD,
    terms_and_conditions_link: info.TNC_LINK,
    key_facts_statement_link: info.KFS_LINK,
    application_fees: amount(info.APPLICATION_FEE!),
    foreclosure_fees: info.FORECLOSURE_FEE,
    delay_penalty_fees: info.DELAY_PENALTY_FEE,
    processing_fees: row('PROCESSING_FEE'),
    interest_rate_conversion_charges: info.INTEREST_RATE_CONVERSION_CHARGE
      ? amount(info.INTEREST_RATE_CONVERSION_CHARGE)
      : null,
    other_penalty_fees: info.OTHER_PENALTY_FEE ?? null,
    other_upfront_charges: row('OTHER_UPFRONT_CHARGES'),
    insurance_charges: row('INSURANCE_CHARGES'),
    other_charges: row('OTHER_CHARGES'),
  }
}

/** The instalments of an order, as D1 §2.4 writes them before any of them is due. */
export const installmentsOf = ({ payments }: Json): Json[] =>
  payments
    .filter(({ type, time }: Json) => type === 'POST_FULFILLMENT' && time?.label === 'INSTALLMENT')
    .map(({ params, time }: Json, i: number) => ({
      serial_number: i + 1,
      type: 'INSTALLMENT',
      amount: params.amount,
      status: 'NOT-DUE',
      installment_due_date: new Date(time.range.end).toISOString(),
    }))

/** The lender of a provider that introduces itself in `on_search`, without the platform's own `id`. */
export function lenderOf({ descriptor, tags }: Json): Json {
  const contact = tagsOf(tags, 'CONTACT_INFO')
  return {
    lender_name: descriptor.name,
    lender_gro_name: contact.GRO_NAME,
    lender_gro_email: contact.GRO_EMAIL,
    lender_gro_contact_number: contact.GRO_CONTACT_NUMBER,
    lender_gro_designation: contact.GRO_DESIGNATION,
    lender_gro_address: contact.GRO_ADDRESS,
    lender_customer_support_link: contact.CUSTOMER_SUPPORT_LINK,
    lender_customer_support_contact_number: contact.CUSTOMER_SUPPORT_CONTACT_NUMBER,
    lender_customer_support_email: contact.CUSTOMER_SUPPORT_EMAIL,
  }
}
