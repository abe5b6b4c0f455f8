// The borrower of a headless API session.

/** A borrower of one application. Other applications of the tenant have separate journeys. */
export interface BorrowerOfApplication {
  tenantId: string
  applicationId: string
  borrowerId: string
}
