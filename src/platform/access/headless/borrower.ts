// The borrower for whom a session of the headless API acts.

/** A borrower as one application knows them: another application of the tenant has journeys of its own. */
export interface BorrowerOfApplication {
  tenantId: string
  applicationId: string
  borrowerId: string
}
