// The lender as its invoices and notes show it: the settings at their issue, because an issued document never changes.

const names = [
  'PARTNER_LENDER_NAME',
  'PARTNER_LENDER_ADDRESS',
  'PARTNER_GRIEVANCE_OFFICER',
  'PARTNER_LENDER_GSTIN',
  'PARTNER_SERVICE_CODE',
] as const
export type Supplier = Record<(typeof names)[number], string>

export const supplierFrom = (config: Supplier): string =>
  JSON.stringify(Object.fromEntries(names.map((name) => [name, config[name]])))
