"""Types of the lifecycle update; generated from the schemas by npm run client; do not edit."""

from __future__ import annotations

from typing import List, Literal, Optional, TypedDict


# The status that a journey has reached (D1 §3).
LifecycleStatus = Literal[
    "STARTED",
    "PROFILED",
    "OFFERED",
    "NOT_OFFERED",
    "OFFER_SELECTED",
    "OFFER_ACCEPTED",
    "LENDER_REDIRECTED",
    "REJECTED",
    "DISBURSED",
]


class LifecycleInstallment(TypedDict):
    """An instalment of a disbursed loan (D1 §2.4)."""

    serial_number: int
    type: str
    amount: str
    status: str
    installment_due_date: str


class LifecycleOffer(TypedDict):
    """An offer of a lender; amounts are decimal strings in rupees (D1 §2.4)."""

    id: str
    accepted: bool
    expired: bool
    amount_principal: str
    amount_total_interest_payable: str
    amount_net_disbursed_amount: str
    offer_term: str
    interest_rate: str
    annual_percentage_rate: str
    interest_type: str
    number_of_installments: int
    cool_off_period: str
    terms_and_conditions_link: str
    key_facts_statement_link: str
    application_fees: str
    foreclosure_fees: str
    delay_penalty_fees: str
    processing_fees: str
    interest_rate_conversion_charges: Optional[str]
    other_penalty_fees: Optional[str]
    other_upfront_charges: Optional[str]
    insurance_charges: Optional[str]
    other_charges: Optional[str]
    installments: List[LifecycleInstallment]


class LifecycleLender(TypedDict):
    """A lender that was asked for offers, with its contacts (D1 §2.4)."""

    id: str
    lender_name: str
    lender_gro_name: str
    lender_gro_email: str
    lender_gro_contact_number: str
    lender_gro_designation: str
    lender_gro_address: str
    lender_customer_support_link: str
    lender_customer_support_contact_number: str
    lender_customer_support_email: str


class LifecycleProfileGoldLoan(TypedDict):
    """The field gold_loan of LifecycleProfile."""

    userType: Optional[str]
    constitution: Optional[str]
    jewelleryWeightGrams: Optional[float]
    purity: Optional[str]


class LifecycleProfilePersonal(TypedDict):
    """The field personal of LifecycleProfile."""

    panName: Optional[str]
    dob: Optional[str]
    gender: Optional[str]
    personalemail: Optional[str]
    contactNumber: str


class LifecycleProfileWork(TypedDict):
    """The field work of LifecycleProfile."""

    employmentType: Optional[str]
    officialemail: Optional[str]
    income: Optional[float]
    companyName: Optional[str]
    udyamNumber: Optional[str]


class LifecycleProfileAddress(TypedDict):
    """The field address of LifecycleProfile."""

    addressL1: Optional[str]
    addressL2: Optional[str]
    city: Optional[str]
    state: Optional[str]
    pincode: Optional[str]


class LifecycleProfileMayHave(TypedDict, total=False):
    """Optional fields of LifecycleProfile."""

    gold_loan: LifecycleProfileGoldLoan


class LifecycleProfile(LifecycleProfileMayHave):
    """The known data of the borrower (D1 §2.4)."""

    personal: LifecycleProfilePersonal
    work: LifecycleProfileWork
    address: LifecycleProfileAddress


class LifecycleJourney(TypedDict):
    """The journey that the update is about (D1 §2.4)."""

    id: str
    endUse: Optional[str]
    bureauConsent: bool
    network_transaction_id: str
    created: str
    updated: str
    type: Literal["PERSONAL_LOAN", "GOLD_LOAN", "LAMF_LOAN"]
    status: LifecycleStatus
    activity_status: Literal["ACTIVE", "INACTIVE"]
    decision_status: Optional[Literal["APPROVED", "NOT_APPROVED"]]
    lender_mode: Optional[Literal["ONLINE", "OFFLINE"]]
    kyc_status: Optional[Literal["PENDING", "SUCCESS", "FAILURE"]]
    emandate_status: Optional[Literal["PENDING", "SUCCESS", "FAILURE"]]
    esign_status: Optional[Literal["PENDING", "SUCCESS", "FAILURE"]]
    kyc_attempts: Optional[int]
    emandate_attempts: Optional[int]
    esign_attempts: Optional[int]
    change_in_offer: bool
    borrower_preferred_amount: Optional[float]
    borrower_preferred_tenure: Optional[float]
    lenders: List[LifecycleLender]
    offers: List[LifecycleOffer]


class LifecycleUpdateBorrower(TypedDict):
    """The field borrower of LifecycleUpdate."""

    id: str
    provider_id: str
    profile: LifecycleProfile
    journey: LifecycleJourney


class LifecycleUpdate(TypedDict):
    """The payload of webhooks, callbacks and browser messages (D1 §2.4)."""

    tenant_id: str
    application_id: str
    borrower: LifecycleUpdateBorrower
