// Duffel's own client against the stand-in: what it understands here it understands at Duffel.
import assert from 'node:assert/strict'
import { Duffel } from '@duffel/api'
import { check, runAll } from './tap.mjs'

const { url } = JSON.parse(process.env.SETTINGS)
const duffel = new Duffel({ token: 'duffel_test_one', basePath: url })
const departure = '2026-12-18'
let offer, order

check('search', async () => {
  const { data } = await duffel.offerRequests.create({
    slices: [
      { origin: 'LHR', destination: 'JFK', departure_date: departure },
      { origin: 'JFK', destination: 'LHR', departure_date: '2026-12-28' },
    ],
    passengers: [{ type: 'adult' }, { age: 7 }],
    cabin_class: 'economy',
    return_offers: false,
  })
  assert.match(data.id, /^orq_/)
  assert.equal(data.slices[0].origin.iata_code, 'LHR')
  assert.equal(data.offers.length, 0)

  const first = await duffel.offers.list({ offer_request_id: data.id, sort: 'total_amount', limit: 30 })
  assert.equal(first.data.length, 30)
  const second = await duffel.offers.list({
    offer_request_id: data.id, sort: 'total_amount', limit: 30, after: first.meta.after,
  })
  assert.notEqual(second.data[0].id, first.data[0].id)
  assert.ok(Number(second.data[0].total_amount) >= Number(first.data.at(-1).total_amount))

  let all = 0
  for await (const { data: each } of duffel.offers.listWithGenerator({ offer_request_id: data.id })) {
    all++
    if (each.owner.iata_code === 'ZZ') offer ??= each
  }
  assert.ok(all >= 40, `${all} offers`)
})

check('offer', async () => {
  const { data } = await duffel.offers.get(offer.id, { return_available_services: true })
  assert.equal(data.slices.length, 2)
  assert.equal(data.slices[0].segments[0].departing_at.slice(0, 10), departure)
  assert.ok(data.available_services.length > 0)
  offer = data
})

check('order', async () => {
  const person = (i, given_name, born_on) => ({
    id: offer.passengers[i].id, title: 'ms', gender: 'f', given_name, family_name: 'Earhart', born_on,
    email: 'amelia@example.com', phone_number: '+442080160508',
  })
  const { data } = await duffel.orders.create({
    type: 'instant', selected_offers: [offer.id],
    passengers: [person(0, 'Amelia', '1990-07-24'), person(1, 'Ada', '2019-01-02')],
    payments: [{ type: 'balance', amount: offer.total_amount, currency: offer.total_currency }],
    metadata: { bellhop: 'K7M2-3' },
  })
  assert.match(data.booking_reference, /^[A-Z0-9]{6}$/)
  assert.equal(data.documents.length, 2)
  order = data
  const list = await duffel.orders.list({ booking_reference: data.booking_reference })
  assert.equal(list.data[0].id, data.id)
})

check('error', async () => {
  await assert.rejects(
    duffel.orders.create({ type: 'instant', selected_offers: [offer.id], passengers: [], payments: [] }),
    err => err.errors[0].code === 'offer_request_already_booked' && err.meta.status === 422 &&
      err.meta.request_id === err.headers.get('x-request-id'))
})

check('cancellation', async () => {
  const quote = await duffel.orderCancellations.create({ order_id: order.id })
  assert.equal(quote.data.refund_currency ?? order.total_currency, order.total_currency)
  const done = await duffel.orderCancellations.confirm(quote.data.id)
  assert.ok(done.data.confirmed_at)
  const now = await duffel.orders.get(order.id)
  assert.ok(now.data.cancelled_at)
})

check('stays', async () => {
  const found = await duffel.stays.search({
    location: { radius: 5, geographic_coordinates: { latitude: 51.5071, longitude: -0.1416 } },
    check_in_date: departure, check_out_date: '2026-12-21', rooms: 1, guests: [{ type: 'adult' }],
  })
  const [result] = found.data.results
  const { data } = await duffel.stays.searchResults.fetchAllRates(result.id)
  const rate = data.accommodation.rooms[0].rates[0]
  const quote = await duffel.stays.quotes.create(rate.id)
  assert.equal(quote.data.total_amount, rate.total_amount)
  const booking = await duffel.stays.bookings.create({
    quote_id: quote.data.id, email: 'amelia@example.com', phone_number: '+442080160508',
    guests: [{ given_name: 'Amelia', family_name: 'Earhart' }],
  })
  assert.equal(booking.data.status, 'confirmed')
  const cancelled = await duffel.stays.bookings.cancel(booking.data.id)
  assert.equal(cancelled.data.status, 'cancelled')
})

check('places', async () => {
  const { data } = await duffel.suggestions.list({ query: 'lond' })
  assert.equal(data[0].type, 'city')
  assert.equal(data[0].iata_code, 'LON')
})

await runAll()
