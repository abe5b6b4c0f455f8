// The borrower of a headless API session.

/** A borrower of one application: another application of the tenant has separate journeys. */
export interface BorrowerOfApplication {
  tenantId: string
  applicationId: string
  borrowerId: string
}
