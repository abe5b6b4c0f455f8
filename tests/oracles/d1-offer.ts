// The D1 §2.4 fields that follow from a lender's messages, computed without the platform's own parser that they check.

// biome-ignore lint/suspicious/noExplicitAny: a received message is not validated
type Json = any

const tagsOf = (tags: Json[], group: string): Record<string, string> =>
  Object.fromEntries(
    tags
      .filter(({ descriptor }) => descriptor.code === group)
      .flatMap(({ list }) => list.map((tag: Json) => [tag.descriptor.code, tag.value])),
  )

/** Converts a lender's amount such as `0 INR` to `0.00`. */
const amount = (text: string): string => text.replace(/^(\d+) INR$/, '$1.00')

/** The expected offer, except for the platform's own fields `id`, `accepted`, `expired` and `installments`. */
export function offerOf({ items, quote }: Json): Json {
  const info = tagsOf(items[0].tags, 'LOAN_INFO')
  const priceOf = (title: string): string => quote.breakup.find((each: Json) => each.title === title).price.value
  const rateType = info.INTEREST_RATE_TYPE!
  return {
    amount_principal: priceOf('PRINCIPAL'),
    amount_total_interest_payable: priceOf('INTEREST'),
    amount_net_disbursed_amount: priceOf('NET_DISBURSED_AMOUNT'),
    offer_term: info.TERM,
    interest_rate: info.INTEREST_RATE,
    annual_percentage_rate: info.ANNUAL_PERCENTAGE_RATE,
    interest_type: rateType === 'FIXED' ? 'Fixed' : 'Reducing',
    number_of_installments: Number(info.NUMBER_OF_INSTALLMENTS_OF_REPAYMENT),
    cool_off_period: info.COOL_OFF_PERIOD,
    terms_and_conditions_link: info.TNC_LINK,
    key_facts_statement_link: info.KFS_LINK,
    application_fees: amount(info.APPLICATION_FEE!),
    foreclosure_fees: info.FORECLOSURE_FEE,
    delay_penalty_fees: info.DELAY_PENALTY_FEE,
    processing_fees: priceOf('PROCESSING_FEE'),
    interest_rate_conversion_charges: info.INTEREST_RATE_CONVERSION_CHARGE
      ? amount(info.INTEREST_RATE_CONVERSION_CHARGE)
      : null,
    other_penalty_fees: info.OTHER_PENALTY_FEE ?? null,
    other_upfront_charges: priceOf('OTHER_UPFRONT_CHARGES'),
    insurance_charges: priceOf('INSURANCE_CHARGES'),
    other_charges: priceOf('OTHER_CHARGES'),
  }
}

/** The expected instalments of an order before the first is due. */
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

/** The expected lender of an `on_search` provider, without the platform's own `id`. */
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
