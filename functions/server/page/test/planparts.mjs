// A part of the kind plans as the planner makes it.

const select = (option) => ({
  label: 'Select this plan',
  tool: 'select_trip_option',
  arguments: { trip: 'TR-0007', run: 3, option },
});
const item = (kind, title, from, to, more = {}) => ({ kind, title, from, to, source: 'listed', ...more });
const sight = (title, from, to, walk, more) => item('activity', title, from, to, { walk, ...more });
const mealOf = (from) => (from < '11:00' ? 'breakfast' : from < '16:00' ? 'lunch' : 'dinner');
const meal = (title, from, to, walk, cost, more) =>
  item('meal', title, from, to, { meal: mealOf(from), walk, cost, ...more });
const days = (...list) =>
  list.map(([title, note, items], n) => ({
    number: n + 1,
    date: `2027-02-${12 + n}`,
    city: 'Boston',
    title,
    note,
    items,
  }));

export const plans = {
  kind: 'plans',
  id: 'p1',
  text: 'Boston, 12 to 15 Feb 2027\n- opt-1: Freedom Trail on a budget, about £1,042–1,180 for 2 people',
  data: {
    trip: 'TR-0007',
    run: 3,
    title: 'Boston, 12 to 15 Feb 2027',
    detail: '2 adults · mid budget · moderate pace · from London',
    document: '/api/trips/TR-0007/plan.pdf',
    note: 'The first costs about a third less than the second by a hostel and markets; the third costs about two thirds more for a room at the harbour and slow evenings.',
    options: [
      {
        id: 'opt-1',
        title: 'Freedom Trail on a budget',
        description: 'Much on foot, markets at noon, and a private room in a hostel by the Common.',
        highlights: [
          '16 stops of the Freedom Trail in one walk',
          'Two free museums on Saturday',
          'Everything within 20 minutes on foot',
        ],
        tags: ['history', 'on foot', 'markets'],
        tier: 'low',
        total: 'about £1,042–1,180 for 2 people',
        exact: '£793.40–865.40 + €289–366',
        costs: [
          { category: 'transport', label: 'Transport', text: '£612.40', source: 'live', from: 0.213, to: 0.213 },
          { category: 'stay', label: 'Stay', text: '£249–315', source: 'listed', from: 0.0868, to: 0.11 },
          { category: 'food', label: 'Food', text: '£156–220', source: 'listed', from: 0.0543, to: 0.0767 },
          { category: 'activities', label: 'Activities', text: '£25–33', source: 'listed', from: 0.0087, to: 0.0115 },
        ],
        days: days(
          [
            'Arrival and the Common',
            'Arriving late: the evening is left free.',
            [
              item('transport', 'Flight IB3163, London to Boston', '10:20', '17:45', {
                source: 'live',
                cost: '£612.40',
                detail: 'LHR to BOS, 1 stop in Madrid · there and back',
              }),
              item('transport', 'Silver Line and Red Line to the centre', '18:20', '18:55', {
                detail: 'free from the airport',
              }),
              item('stay', 'Common Row Hostel', '19:10', '', {
                nights: 3,
                detail: 'private room, Downtown',
                cost: '£249–315',
              }),
              meal('Chinatown noodle houses', '19:45', '21:00', 8, '£18–26'),
            ],
          ],
          [
            'The Freedom Trail',
            'Comfortable shoes: about 4 km of brick line.',
            [
              meal('Bakery breakfast', '08:30', '09:10', 4, '£10–14'),
              sight('Massachusetts State House', '09:30', '10:15', 9, {
                detail: 'closed inside on Saturday; seen from the steps',
              }),
              sight('Freedom Trail to Faneuil Hall', '10:15', '12:15', 2, {
                wish: 'the Freedom Trail',
                detail: 'Granary, King’s Chapel, Old State House',
              }),
              meal('Quincy Market', '12:20', '13:10', 3, '£20–28'),
              sight('Paul Revere House', '13:30', '14:15', 11, { cost: '£9' }),
              sight('Old North Church', '14:30', '15:15', 5, { cost: '£8' }),
              meal('Hanover Street trattoria', '18:30', '20:00', 6, '£34–44'),
            ],
          ],
          [
            'Cambridge across the river',
            '',
            [
              meal('Bakery breakfast', '08:45', '09:20', 4, '£10–14'),
              sight('Harvard Yard', '10:00', '11:15', 24),
              sight('Harvard Art Museums', '11:25', '13:00', 6, { detail: 'free' }),
              meal('Square food hall', '13:10', '14:00', 5, '£18–24'),
              sight('Charles River Esplanade', '15:00', '16:15', 18),
              meal('South End pub kitchen', '18:45', '20:15', 16, '£30–40'),
            ],
          ],
          [
            'Home',
            '',
            [
              meal('Bakery breakfast', '09:00', '09:40', 4, '£10–14'),
              sight('Boston Public Garden', '10:00', '11:00', 6),
              item('transport', 'Flight IB3168, Boston to London', '19:15', '10:50', {
                nights: 1,
                source: 'live',
                detail: 'BOS to LHR, 1 stop in Madrid',
              }),
            ],
          ],
        ),
        transport: [
          {
            title: 'British Airways BA213, non-stop',
            detail: '7 h 40 min there',
            cost: '£790.60',
            source: 'live',
            code: 'T2',
          },
        ],
        stays: [
          {
            title: 'Fenway guest house',
            detail: 'shared bath, 20 min by tram',
            cost: '£228–290',
            source: 'listed',
            code: 'S4',
          },
          {
            title: 'A room in Somerville',
            detail: 'price not checked',
            cost: '£200–260',
            source: 'model',
            code: 'S7',
          },
        ],
        dining: [
          {
            title: 'Haymarket stalls',
            detail: 'Friday and Saturday',
            cost: '£12–18',
            source: 'listed',
            code: 'F6',
            meal: 'lunch',
          },
          {
            title: 'North End bakery bar',
            detail: 'until midnight',
            cost: '£16–24',
            source: 'listed',
            code: 'F9',
            meal: 'dinner',
          },
        ],
        do: [select('opt-1')],
      },
      {
        id: 'opt-2',
        title: 'A Boston of museums and harbours',
        description: 'A hotel in Back Bay, a museum a day, and dinners that take their time.',
        highlights: ['The Gardner courtyard in winter', 'Non-stop flights both ways', 'Harbour walk at dusk'],
        tags: ['art', 'harbour', 'balanced'],
        tier: 'mid',
        total: '£1,586–1,829 for 2 people',
        costs: [
          { category: 'transport', label: 'Transport', text: '£790.60', source: 'live', from: 0.2754, to: 0.2754 },
          { category: 'stay', label: 'Stay', text: '£438–516', source: 'live', from: 0.1526, to: 0.18 },
          { category: 'food', label: 'Food', text: '£270–410', source: 'mixed', from: 0.094, to: 0.143 },
          { category: 'activities', label: 'Activities', text: '£88–112', source: 'listed', from: 0.0306, to: 0.039 },
        ],
        days: days(
          [
            'Arrival in Back Bay',
            '',
            [
              item('transport', 'Flight BA213, London to Boston', '11:20', '14:05', {
                source: 'live',
                cost: '£790.60',
                detail: 'LHR to BOS, non-stop · there and back',
              }),
              item('stay', 'Copley Lane Hotel', '15:30', '', {
                nights: 3,
                detail: 'queen room, Back Bay',
                cost: '£438–516',
                source: 'live',
              }),
              sight('Boston Public Library', '16:15', '17:15', 7),
              meal('Newbury Street bistro', '18:30', '20:15', 6, '£48–70'),
            ],
          ],
          [
            'The Freedom Trail and the harbour',
            '',
            [
              meal('Hotel breakfast', '08:30', '09:15', 0, '£24–30'),
              sight('Freedom Trail to Faneuil Hall', '09:45', '12:00', 14, { wish: 'the Freedom Trail' }),
              meal('Oyster bar by the market', '12:15', '13:30', 3, '£44–60'),
              sight('Boston Tea Party Ships', '14:00', '15:45', 14, { cost: '£58' }),
              sight('Harborwalk at dusk', '16:15', '17:15', 4),
              meal('Seaport fish kitchen', '18:45', '20:30', 10, '£60–90'),
            ],
          ],
          [
            'Two museums',
            'Both are ten minutes apart.',
            [
              meal('Hotel breakfast', '08:45', '09:30', 0, '£24–30'),
              sight('Isabella Stewart Gardner Museum', '10:30', '12:45', 22, { cost: '£30' }),
              meal('Museum café', '13:00', '14:00', 2, '£30–40', { source: 'model' }),
              sight('Museum of Fine Arts', '14:15', '16:45', 8, { cost: '£44' }),
              meal('South End tasting room', '19:00', '21:00', 25, '£70–110', { source: 'model' }),
            ],
          ],
          [
            'Home',
            '',
            [
              sight('Beacon Hill lanes', '09:30', '11:00', 15),
              meal('Charles Street lunch', '11:30', '12:30', 3, '£28–36'),
              item('transport', 'Flight BA212, Boston to London', '18:40', '06:15', {
                nights: 1,
                source: 'live',
                detail: 'BOS to LHR, non-stop',
              }),
            ],
          ],
        ),
        transport: [
          { title: 'Iberia IB3163, 1 stop', detail: '12 h 25 min there', cost: '£612.40', source: 'live', code: 'T1' },
        ],
        stays: [
          {
            title: 'Harbour Steps Hotel',
            detail: '4 stars, Waterfront',
            cost: '£570–640',
            source: 'live',
            code: 'S2',
          },
          { title: 'Common Row Hostel', detail: 'private room', cost: '£249–315', source: 'listed', code: 'S1' },
        ],
        do: [select('opt-2')],
      },
      {
        id: 'opt-3',
        title: 'Slow days at the waterfront',
        description: 'A room over the harbour, late mornings, and two long dinners.',
        highlights: ['A window on the harbour', 'Symphony Hall on Saturday', 'No day with more than two stops'],
        tags: ['relaxed', 'waterfront', 'fine dining'],
        tier: 'high',
        total: '£2,497–2,871 for 2 people',
        costs: [
          { category: 'transport', label: 'Transport', text: '£1,044.00', source: 'live', from: 0.3636, to: 0.3636 },
          { category: 'stay', label: 'Stay', text: '£870–1,020', source: 'live', from: 0.303, to: 0.3553 },
          { category: 'food', label: 'Food', text: '£460–640', source: 'listed', from: 0.1602, to: 0.2229 },
          { category: 'activities', label: 'Activities', text: '£123–167', source: 'model', from: 0.0428, to: 0.0582 },
        ],
        gaps: ['Ticket prices of Symphony Hall are not verified.'],
        days: days(
          [
            'Arrival at the harbour',
            '',
            [
              item('transport', 'Flight BA239, London to Boston', '16:45', '19:20', {
                source: 'live',
                cost: '£1,044.00',
                detail: 'LHR to BOS, non-stop, premium · there and back',
              }),
              item('stay', 'Harbour Steps Hotel', '20:15', '', {
                nights: 3,
                detail: 'harbour view, Waterfront',
                cost: '£870–1,020',
                source: 'live',
              }),
              meal('Hotel bar, small plates', '20:45', '22:00', 0, '£50–70'),
            ],
          ],
          [
            'The old town, slowly',
            '',
            [
              meal('Late breakfast', '10:00', '11:00', 0, '£36–44'),
              sight('Freedom Trail to Faneuil Hall', '11:30', '13:45', 12, { wish: 'the Freedom Trail' }),
              meal('Union Street oyster house', '14:00', '15:30', 3, '£70–90'),
              sight('Symphony Hall', '20:00', '22:00', 19, { source: 'model', cost: '£90–130' }),
            ],
          ],
          [
            'The Gardner',
            '',
            [
              meal('Late breakfast', '10:00', '11:00', 0, '£36–44'),
              sight('Isabella Stewart Gardner Museum', '12:00', '14:30', 26, { cost: '£30' }),
              meal('Tasting menu in the South End', '18:30', '21:30', 24, '£190–280'),
            ],
          ],
          [
            'Home',
            'The flight leaves at night: the day is whole.',
            [
              meal('Late breakfast', '10:00', '11:00', 0, '£36–44'),
              sight('New England Aquarium', '11:30', '13:30', 5, { cost: '£54' }),
              item('transport', 'Flight BA238, Boston to London', '22:10', '09:40', {
                nights: 1,
                source: 'live',
                detail: 'BOS to LHR, non-stop',
              }),
            ],
          ],
        ),
        stays: [
          { title: 'Copley Lane Hotel', detail: 'queen room, Back Bay', cost: '£438–516', source: 'live', code: 'S3' },
        ],
        do: [select('opt-3')],
      },
    ],
    differs: [
      { label: 'Budget', values: ['low', 'mid', 'high'] },
      { label: 'Pace', values: ['packed', 'moderate', 'relaxed'] },
      { label: 'Stay', values: ['hostel', 'hotel', 'boutique hotel'] },
      { label: 'Dining', values: ['markets and street food', 'casual', 'fine dining'] },
      { label: 'Focus', values: ['history', 'art', 'history'] },
    ],
    research: [
      { specialist: 'transport', label: 'Transport', state: 'done', text: '5 found: 3 live, 2 listed' },
      { specialist: 'stay', label: 'Stay', state: 'done', text: '9 found: 4 live, 4 listed, 1 unverified' },
      {
        specialist: 'food',
        label: 'Food',
        state: 'partly',
        text: '14 found: 12 listed; the model did not answer in time',
      },
    ],
    assumptions: ['One room for two.', 'Listed prices were converted with the rates of 20 Nov 2026.'],
    risks: [
      'Winter storms close Logan for some hours in most Februaries.',
      'Monday 15 February is a holiday: some museums close.',
    ],
    questions: ['Does either of you eat no meat?'],
    do: [{ label: 'Show other options', words: 'Show me other options' }],
  },
};

// selected is the same with the second plan selected.
export const selected = { ...plans, data: { ...plans.data, selected: 'opt-2' } };
