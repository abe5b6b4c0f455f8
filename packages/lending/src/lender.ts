// A lender as borrowers and staff see it: its identity, contacts, branches and agents.

/** The grievance officer (`gro`) and support, which the regulator requires us to show; a partner's account. */
export interface LenderContact {
  groName: string | null
  groEmail: string | null
  groContactNumber: string | null
  groDesignation: string | null
  groAddress: string | null
  customerSupportLink: string | null
  customerSupportContactNumber: string | null
  customerSupportEmail: string | null
  repaymentAccount?: string | null
}

export interface ServiceProvider {
  name: string | null
  email: string | null
  contactNumber: string | null
  address: string | null
}

export interface Lender {
  providerId: string
  name: string
  shortDescription: string | null
  longDescription: string | null
  logoUrl: string | null
  contact: LenderContact
  serviceProvider: ServiceProvider
}

/** A location in degrees. */
export interface Point {
  latitude: number
  longitude: number
}

/** A branch that accepts gold, from `provider.locations` (FIS12 §9.1, §9.2). */
export interface Branch {
  id: string
  name: string | null
  address: string | null
  pincode: string | null
  /** Latitude and longitude in degrees; null when missing or unreadable. */
  at: Point | null
}

export interface Agent {
  name: string | null
  /** In the network's format: `+91-9876500002`. */
  phone: string | null
}
