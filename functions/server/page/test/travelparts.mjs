// Parts as the travel tools make them.

const choices = (offer) => [
  { label: 'Details', tool: 'get_flight_offer', arguments: { offer } },
  { label: 'Hold', tool: 'hold_flight', arguments: { offer, travellers: [] } },
  { label: 'Add to trip', tool: 'add_flight_to_itinerary', arguments: { offer } },
  { label: 'Book', tool: 'book_flight', arguments: { offer, travellers: [] } },
];

const leg = (from, fromName, to, toName, date, departs, arrives, minutes, numbers, more = {}) => ({
  from,
  fromName,
  to,
  toName,
  date,
  departs,
  arrives,
  minutes,
  stops: 0,
  numbers,
  ...more,
});
const out = (...rest) => leg('LHR', 'London Heathrow', 'LIS', 'Lisbon', '2026-12-04', ...rest);
const back = (...rest) => leg('LIS', 'Lisbon', 'LHR', 'London Heathrow', '2026-12-06', ...rest);

const offer = (n, airline, carrier, price, per, legs, more = {}) => ({
  code: `K7M2-${n}`,
  airline,
  carrier,
  price,
  per,
  legs,
  bags: '1 carry-on and 1 checked bag each',
  refund: 'Not refundable',
  change: 'Changes for £60.00 each',
  expires: '2026-11-23T00:25:00Z',
  do: choices(`K7M2-${n}`),
  ...more,
});

export const flights = {
  kind: 'flights',
  id: 'p1',
  tool: 'search_flights',
  arguments: {
    origin: 'LHR',
    destination: 'LIS',
    departureDate: '2026-12-04',
    returnDate: '2026-12-06',
    passengerCount: 3,
    ages: [7],
    cabinClass: 'economy',
    departAfter: '17:00',
  },
  text: 'London to Lisbon · Fri 4 Dec, back Sun 6 Dec · 2 adults, 1 child (7) · economy\n- K7M2-1: TAP Air Portugal, £612.40 (cheapest)',
  data: {
    search: 'K7M2',
    title: 'London to Lisbon',
    detail: 'Fri 4 Dec, back Sun 6 Dec · 2 adults, 1 child (7) · economy',
    picks: [
      { label: 'Cheapest', offer: 'K7M2-1', why: '£178.20 less than the fastest' },
      { label: 'Fastest', offer: 'K7M2-2', why: '2 h 40 min out, the shortest' },
      { label: 'Best', offer: 'K7M2-3', why: 'Non-stop, a checked bag, and £61.00 more than the cheapest' },
    ],
    offers: [
      offer(
        1,
        'Iberia',
        'IB',
        '£612.40',
        '£204.13 each',
        [
          out('18:10', '00:35', 385, ['IB3163', 'IB1141'], { nights: 1, stops: 1, via: ['MAD, 1 h 25 min'] }),
          back('19:45', '23:50', 245, ['IB1148', 'IB3168'], { stops: 1, via: ['MAD, 55 min'] }),
        ],
        {
          bags: '1 carry-on each, no checked bag',
          refund: 'Not refundable',
          change: 'No changes',
          hold: '',
          co2: 412,
        },
      ),
      offer(
        2,
        'British Airways',
        'BA',
        '£790.60',
        '£263.53 each',
        [out('19:05', '21:45', 160, ['BA504']), back('20:40', '23:20', 160, ['BA505'])],
        { refund: 'Refundable for £80.00', hold: 'Can be held until Tue 24 Nov, 18:00', co2: 331 },
      ),
      offer(
        3,
        'TAP Air Portugal',
        'TP',
        '£673.40',
        '£224.47 each',
        [out('20:30', '23:15', 165, ['TP1359']), back('17:55', '20:35', 160, ['TP1366'])],
        { hold: 'Can be held until Mon 23 Nov, 21:00', co2: 338 },
      ),
      offer(4, 'Air France', 'AF', '£702.00', '£234.00 each', [
        out('17:25', '23:55', 390, ['AF1381', 'AF1124'], { stops: 1, via: ['CDG, 1 h 50 min'] }),
        back('18:20', '23:45', 325, ['AF1125', 'AF1080'], { stops: 1, via: ['CDG, 1 h 5 min'] }),
      ]),
      offer(
        5,
        'easyJet',
        'U2',
        '£721.15',
        '',
        [
          leg('LGW', 'London Gatwick', 'LIS', 'Lisbon', '2026-12-04', '20:55', '23:40', 165, ['U28531']),
          leg('LIS', 'Lisbon', 'LGW', 'London Gatwick', '2026-12-06', '21:10', '23:50', 160, ['U28532']),
        ],
        { bags: '1 small bag each' },
      ),
      offer(6, 'Lufthansa', 'LH', '£1,044.00', '£348.00 each', [
        out('17:30', '10:20', 1010, ['LH913', 'LH1172', 'LH1792'], {
          nights: 1,
          stops: 2,
          via: ['FRA, 1 h 40 min', 'MUC, 9 h 15 min'],
        }),
        back('06:05', '13:25', 440, ['LH1793', 'LH2478'], { stops: 1, via: ['MUC, 2 h 5 min'] }),
      ]),
    ],
    total: 47,
    more: true,
    notes: ['Departures before 17:00 on Friday are left out here, not by the airlines.'],
  },
};

export const stays = {
  kind: 'stays',
  id: 'p2',
  tool: 'search_hotels',
  arguments: { location: 'Lisbon', checkIn: '2026-12-04', checkOut: '2026-12-06', guests: 3, rooms: 1 },
  text: 'Lisbon · 4 to 6 Dec',
  data: {
    search: 'H4T9',
    title: 'Lisbon',
    detail: '4 to 6 Dec · 2 nights · 2 adults, 1 child · 1 room',
    total: 24,
    more: false,
    hotels: [
      {
        code: 'H4T9-1',
        name: 'Casa das Janelas',
        address: 'Rua do Alecrim 41, Chiado',
        stars: 4,
        review: '8.9',
        price: '€412.00',
        per: '€206.00 a night',
        distance: '0.4 km from the centre',
        amenities: ['Wi-Fi', 'Breakfast', 'Family rooms', 'Air conditioning'],
        rates: [
          {
            code: 'H4T9-1A',
            room: 'Family room, 1 double and 1 single bed',
            board: 'Breakfast',
            price: '€412.00',
            refund: 'Free cancellation until Wed 2 Dec, 14:00',
            pay: 'Paid now · €12.00 city tax at the hotel',
            do: [{ label: 'Book', tool: 'book_hotel', arguments: { rate: 'H4T9-1A', travellers: [] } }],
          },
          {
            code: 'H4T9-1B',
            room: 'Family room with a view of the river',
            board: 'Room only',
            price: '€438.00',
            refund: 'Not refundable',
            pay: 'Paid now',
            do: [{ label: 'Book', tool: 'book_hotel', arguments: { rate: 'H4T9-1B', travellers: [] } }],
          },
        ],
        do: [{ label: 'Add to trip', tool: 'add_hotel_to_itinerary', arguments: { hotel: 'H4T9-1' } }],
      },
      {
        code: 'H4T9-2',
        name: 'Hotel Miradouro da Graça & Spa, a name that is rather long for one line',
        address: 'Largo da Graça 8',
        stars: 5,
        review: '9.3',
        price: '€690.00',
        per: '€345.00 a night',
        distance: '1.8 km from the centre',
        amenities: ['Wi-Fi', 'Pool', 'Spa', 'Gym', 'Parking', 'Pets', 'Restaurant', 'Step-free access'],
        do: [
          { label: 'Rooms', tool: 'get_hotel_rates', arguments: { hotel: 'H4T9-2' } },
          { label: 'Add to trip', tool: 'add_hotel_to_itinerary', arguments: { hotel: 'H4T9-2' } },
        ],
      },
      {
        code: 'H4T9-3',
        name: 'Pensão Aurora',
        price: '€168.00',
        do: [{ label: 'Rooms', tool: 'get_hotel_rates', arguments: { hotel: 'H4T9-3' } }],
      },
    ],
    notes: ['“Pool” is filtered here: the supplier has no such filter.'],
  },
};

const change = (item) => [
  { label: 'Move', tool: 'move_itinerary_item', arguments: { trip: 'TR-0001', item } },
  { label: 'Remove', tool: 'remove_itinerary_item', arguments: { trip: 'TR-0001', item } },
];

export const itinerary = {
  kind: 'itinerary',
  id: 'p3',
  tool: 'show_itinerary',
  arguments: { trip: 'TR-0001' },
  text: 'A weekend in Lisbon',
  data: {
    trip: 'TR-0001',
    version: 7,
    title: 'A weekend in Lisbon',
    detail: '4 to 7 Dec 2026 · 2 flights, 1 hotel, 3 more',
    calendar: '/api/trips/TR-0001/calendar.ics',
    warnings: ['The tram tour begins before the aquarium ends.', 'No bed is booked for the night of Sun 6 Dec.'],
    do: [{ label: 'Rename', tool: 'rename_trip', arguments: { trip: 'TR-0001' } }],
    days: [
      {
        date: '2026-12-04',
        place: 'Lisbon',
        items: [
          {
            code: 'I1',
            type: 'travel',
            status: 'planned',
            title: 'To Heathrow',
            from: '17:15',
            to: '18:30',
            detail: 'Paddington to LHR',
            do: change('I1'),
          },
          {
            code: 'I2',
            type: 'flight',
            status: 'held',
            title: 'TP1359 to Lisbon',
            from: '20:30',
            to: '23:15',
            zone: 'GMT',
            detail: 'LHR to LIS · TB-0001 · pay by Mon 23 Nov, 21:00',
            do: change('I2'),
          },
          {
            code: 'I3',
            type: 'hotel',
            status: 'booked',
            title: 'Casa das Janelas',
            from: '23:45',
            to: '11:00',
            nights: 2,
            detail: 'Family room · ABC123',
            do: change('I3'),
          },
        ],
      },
      {
        date: '2026-12-05',
        place: 'Lisbon',
        items: [
          {
            code: 'I4',
            type: 'activity',
            status: 'planned',
            title: 'Oceanário',
            from: '10:00',
            to: '13:30',
            detail: 'Parque das Nações',
            do: change('I4'),
          },
          {
            code: 'I5',
            type: 'activity',
            status: 'planned',
            title: 'Tram tour',
            from: '13:00',
            to: '14:30',
            warn: 'Begins before the aquarium ends',
            do: change('I5'),
          },
          {
            code: 'I6',
            type: 'note',
            status: 'planned',
            title: 'Vegetarian dinner, somewhere in Alfama',
            do: change('I6'),
          },
        ],
      },
      {
        date: '2026-12-06',
        items: [
          {
            code: 'I7',
            type: 'flight',
            status: 'cancelled',
            title: 'BA505 to London',
            from: '20:40',
            to: '23:20',
            detail: 'LIS to LHR',
            do: change('I7'),
          },
        ],
      },
      { date: '2026-12-07', items: [] },
    ],
  },
};

export const booking = {
  kind: 'booking',
  id: 'p4',
  text: 'TB-0001',
  data: {
    code: 'TB-0001',
    type: 'flight',
    state: 'held',
    title: 'London to Lisbon and back, TAP Air Portugal',
    price: '£673.40',
    payBy: '2026-11-23T21:00:00Z',
    reference: 'QX7PLM',
    lines: [
      'Fri 4 Dec: LHR 20:30 to LIS 23:15, TP1359',
      'Sun 6 Dec: LIS 17:55 to LHR 20:35, TP1366',
      '3 travellers: PAX-1, PAX-2, PAX-3',
    ],
    change: 'The airline moved TP1366 from 17:55 to 18:25.',
    do: [
      { label: 'Pay', tool: 'pay_held_flight', arguments: { booking: 'TB-0001' } },
      { label: 'Cancel…', tool: 'cancel_booking', arguments: { booking: 'TB-0001' } },
    ],
  },
};

export const travellers = {
  kind: 'travellers',
  id: 'p5',
  text: 'Who travels?',
  data: {
    title: 'Who travels?',
    wanted: [
      { code: 'PAX-1', kind: 'adult' },
      { code: 'PAX-2', kind: 'adult', missing: ['phone', 'passport'] },
      { kind: 'child (7)', missing: ['everything'] },
    ],
  },
};
