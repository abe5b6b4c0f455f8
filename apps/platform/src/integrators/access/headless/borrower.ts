// The borrower of a headless API session.

/** A borrower as known to one application; each application of a tenant has its own journeys. */
export interface BorrowerOfApplication {
  tenantId: string
  applicationId: string
  borrowerId: string
}
